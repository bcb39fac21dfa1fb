#include "openapi/document.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define P(item)    "{\"openapi\":\"3.1.0\",\"paths\":{\"/x\":" item "}}"
#define OP(member) P("{\"get\":{" member "}}")
#define SCHEMA(s)  OP("\"responses\":{\"200\":{\"content\":{\"a/b\":{\"schema\":" s "}}}}")
#define INTO       "a reference into this document such as \"#/components/schemas/Name\""

static const struct {
	const char *why, *text, *error;
} bad[] = {
	{ "nothing", "", "expected a JSON document, found nothing, 0 bytes" },
	{ "spaces", " \n\t\r\n", "expected a JSON document, found no more than spaces" },
	{ "YAML", "openapi: 3.1.0\ninfo:\n  title: x\n",
		"expected the document's JSON form, found YAML: openapi: 3.1.0" },
	{ "YAML behind comments and its marker", "# ours\n\n---\nopenapi: 3.0.0\n",
		"expected the document's JSON form, found YAML: ---" },
	{ "YAML with quotes", "\"swagger\": \"2.0\"\n",
		"expected the document's JSON form, found YAML: \"swagger\": \"2.0\"" },
	{ "HTML behind a 200", "<!DOCTYPE html>\n<html>",
		"expected a JSON document, found HTML or XML: <!DOCTYPE html>" },
	{ "gzip that nobody undid", "\x1f\x8b\x08",
		"expected a JSON document, found bytes that are compressed by gzip" },
	{ "broken JSON", "{\"openapi\": \"3.1.0\",\n \"paths\" {}}",
		"expected a JSON document: line 2, column 10: expected a colon behind the key, found \"{\"" },
	{ "a list", "[]", "expected an OpenAPI document, an object, found a list" },
	{ "a text", "\"openapi\"",
		"expected an OpenAPI document, an object, found a value that is none" },
	{ "Swagger", "{\"swagger\":\"2.0\",\"paths\":{}}",
		"expected OpenAPI 3.0 or 3.1, found Swagger 2.0" },
	{ "no version", "{\"paths\":{}}",
		"/openapi: expected the version, a string such as \"3.1.0\", found none" },
	{ "a version that is a number", "{\"openapi\":3.1,\"paths\":{}}",
		"/openapi: expected the version, a string such as \"3.1.0\", found another type" },
	{ "a later version", "{\"openapi\":\"3.2.0\",\"paths\":{}}",
		"/openapi: expected version 3.0 or 3.1, found \"3.2.0\"" },
	{ "version 3.10", "{\"openapi\":\"3.10.0\",\"paths\":{}}",
		"/openapi: expected version 3.0 or 3.1, found \"3.10.0\"" },
	{ "no paths", "{\"openapi\":\"3.1.0\"}",
		"/paths: expected at least one operation, found none" },
	{ "webhooks only", "{\"openapi\":\"3.1.0\",\"webhooks\":{\"a\":{\"post\":{}}}}",
		"/paths: expected at least one operation, found none, and webhooks, which others serve" },
	{ "empty paths", "{\"openapi\":\"3.1.0\",\"paths\":{}}",
		"/paths: expected at least one operation, found no path" },
	{ "paths without operations", P("{\"parameters\":[]}"),
		"/paths: expected at least one operation, found 1 path without any" },
	{ "paths that are a list", "{\"openapi\":\"3.1.0\",\"paths\":[]}",
		"/paths: expected an object, found a list" },
	{ "a path without a slash", "{\"openapi\":\"3.1.0\",\"paths\":{\"x\":{\"get\":{}}}}",
		"/paths: expected paths that begin with \"/\", found \"x\"" },
	{ "a path item that is null", P("null"), "/paths/~1x: expected an object, found null" },
	{ "an operation that is a text", P("{\"get\":\"x\"}"),
		"/paths/~1x/get: expected an object, found a string" },
	{ "parameters that are an object", OP("\"parameters\":{}"),
		"/paths/~1x/get/parameters: expected a list, found an object" },
	{ "a parameter without name", OP("\"parameters\":[{\"in\":\"query\"}]"),
		"/paths/~1x/get/parameters/0/name: expected a string, found none" },
	{ "a parameter of 2.0", OP("\"parameters\":[{\"in\":\"body\",\"name\":\"a\"}]"),
		"/paths/~1x/get/parameters/0/in: expected path, query, header or cookie, found \"body\"" },
	{ "a body without content", OP("\"requestBody\":{}"),
		"/paths/~1x/get/requestBody/content: expected an object, found none" },
	{ "responses that are a list", OP("\"responses\":[]"),
		"/paths/~1x/get/responses: expected an object, found a list" },
	{ "an answer that is a number", OP("\"responses\":{\"200\":1}"),
		"/paths/~1x/get/responses/200: expected an object, found a number" },
	{ "a schema that is a text", SCHEMA("\"string\""),
		"/paths/~1x/get/responses/200/content/a~1b/schema: expected a schema, found a string" },
	{ "deprecated that is a text", OP("\"deprecated\":\"yes\""),
		"/paths/~1x/get/deprecated: expected true or false, found a string" },
	{ "a dangling $ref", SCHEMA("{\"items\":{\"$ref\":\"#/components/schemas/Gone\"}}"),
		"/paths/~1x/get/responses/200/content/a~1b/schema/items/$ref: expected the place of a "
		"value in this document, nothing is there, found \"#/components/schemas/Gone\"" },
	{ "a remote $ref", SCHEMA("{\"$ref\":\"http://a.example/b.json#/c\"}"),
		"/paths/~1x/get/responses/200/content/a~1b/schema/$ref: expected " INTO
		", found \"http://a.example/b.json#/c\"" },
	{ "a $ref into another file", SCHEMA("{\"$ref\":\"other.json#/a\"}"),
		"/paths/~1x/get/responses/200/content/a~1b/schema/$ref: expected " INTO
		", found \"other.json#/a\"" },
	{ "a $ref to an anchor", SCHEMA("{\"$ref\":\"#here\"}"),
		"/paths/~1x/get/responses/200/content/a~1b/schema/$ref: expected " INTO
		", found \"#here\"" },
	{ "a $ref to itself",
		"{\"openapi\":\"3.0.0\",\"paths\":{\"/x\":{\"get\":{}}},\"components\":"
		"{\"schemas\":{\"A\":{\"$ref\":\"#/components/schemas/A\"}}}}",
		"/components/schemas/A/$ref: expected a value in the end, it leads back to itself, "
		"found \"#/components/schemas/A\"" },
	{ "a ring of two",
		"{\"openapi\":\"3.0.0\",\"paths\":{\"/x\":{\"$ref\":\"#/paths/~1y\"},"
		"\"/y\":{\"$ref\":\"#/paths/~1x\"}}}",
		"/paths/~1x/$ref: expected a value in the end, it leads back to itself, found "
		"\"#/paths/~1y\"" },
	{ "a parameter that is a schema by $ref",
		"{\"openapi\":\"3.0.0\",\"paths\":{\"/x\":{\"get\":{\"parameters\":[{\"$ref\":"
		"\"#/components/schemas/A\"}]}}},\"components\":{\"schemas\":{\"A\":{}}}}",
		"/paths/~1x/get/parameters/0/name: expected a string, found none" },
};

START_TEST(refuses)
{
	struct err err = { 0 };
	struct document *document = (struct document *)1;
	enum rc rc = document_read(slice_of(bad[_i].text), "/openapi.json", &document, &err);
	ck_assert_msg(rc == RC_INVALID, "%s: taken", bad[_i].why);
	ck_assert_ptr_null(document);
	ck_assert_str_eq(err.where, "/openapi.json");
	ck_assert_msg(strcmp(err.text, bad[_i].error) == 0, "%s: expected\n%s\nfound\n%s",
		bad[_i].why, bad[_i].error, err.text);
}
END_TEST

static const struct {
	const char *why, *text;
	unsigned minor;
} good[] = {
	{ "the least", P("{\"get\":{}}"), 1 },
	{ "3.0 and more in the version",
		"{\"openapi\":\"3.0.4-rc1\",\"paths\":{\"/\":{\"put\":{}}}}", 0 },
	{ "space before", "\n\t {\"openapi\":\"3.0.0\",\"paths\":{\"/\":{\"put\":{}}}}", 0 },
	{ "extensions anywhere",
		"{\"openapi\":\"3.0.0\",\"x-a\":1,\"paths\":{\"x-b\":[],\"/\":{\"put\":{}}}}", 0 },
	{ "a $ref in data is data",
		SCHEMA("{\"default\":{\"$ref\":\"gone\"},\"enum\":[{\"$ref\":\"gone\"}],\"x-a\":{\"$ref\":"
		       "\"gone\"},\"examples\":[{\"$ref\":\"gone\"}]}"),
		1 },
	{ "a property called $ref", SCHEMA("{\"properties\":{\"$ref\":{\"type\":\"string\"}}}"),
		1 },
	{ "a cycle through properties",
		SCHEMA("{\"properties\":{\"a\":{\"$ref\":"
		       "\"#/paths/~1x/get/responses/200/content/a~1b/schema\"}}}"),
		1 },
	{ "percent-encoded",
		SCHEMA("{\"items\":{\"$ref\":\"#/paths/%7E1x/get/responses/%32%30%30\"}}"), 1 },
	{ "schemas that are true and false", SCHEMA("{\"properties\":{\"a\":true,\"b\":false}}"),
		1 },
};

START_TEST(takes)
{
	struct err err = { 0 };
	struct document *document;
	enum rc rc = document_read(slice_of(good[_i].text), "a", &document, &err);
	ck_assert_msg(rc == RC_OK, "%s: %s", good[_i].why, err.text);
	ck_assert_uint_eq(document_minor(document), good[_i].minor);
	document_free(document);
}
END_TEST

/* Every $ref of a chain is followed, and large lists and objects are looked up by an index. */
START_TEST(references)
{
	struct err err = { 0 };
	struct buf buf;
	struct document *document;
	buf_init(&buf, 1 << 20);
	ck_assert(buf_text(&buf,
			  "{\"openapi\":\"3.0.0\",\"paths\":{\"/\":{\"put\":{}}},\"components\":{"
			  "\"schemas\":{\"a\":{\"$ref\":\"#/components/schemas/b\"},"
			  "\"b\":{\"$ref\":\"#/x-list/37\"}") == RC_OK);
	for (int i = 0; i < 50; i++)
		ck_assert(buf_print(&buf, ",\"s%d/~\":{\"maxLength\":%d}", i, i) == RC_OK);
	ck_assert(buf_text(&buf, "}},\"x-list\":[0") == RC_OK);
	for (int i = 1; i < 50; i++)
		ck_assert(buf_print(&buf, ",{\"maxLength\":%d}", i) == RC_OK);
	ck_assert(buf_text(&buf, "]}") == RC_OK);
	ck_assert_msg(
		document_read(buf_slice(&buf), "a", &document, &err) == RC_OK, "%s", err.text);
	const cJSON *a = document_find(document, "#/components/schemas/a");
	ck_assert_ptr_eq(
		document_target(document, a), document_find(document, "#/components/schemas/b"));
	ck_assert(json_get(document_resolve(document, a), "maxLength")->valueint == 37);
	const cJSON *found = document_find(document, "#/components/schemas/s44~1~0");
	ck_assert(json_get(found, "maxLength")->valueint == 44);
	ck_assert_ptr_null(document_find(document, "#/x-list/50"));
	ck_assert_ptr_null(document_find(document, "#/x-list/01"));
	ck_assert_ptr_null(document_find(document, "#/x-list/-"));
	ck_assert_ptr_null(document_find(document, "#/components/schemas/s44~2"));
	ck_assert_ptr_null(document_find(document, "#/components/schemas/%zz"));
	ck_assert_ptr_eq(document_find(document, "#"), document_root(document));
	document_free(document);
	buf_release(&buf);
}
END_TEST

START_TEST(too_large)
{
	struct err err = { 0 };
	struct document *document;
	size_t len = 50000000;
	char *text = mem_alloc(len, 1);
	memset(text, ' ', len);
	ck_assert(document_read(slice_from(text, len), "a", &document, &err) == RC_LIMIT);
	ck_assert_str_eq(
		err.text, "expected an OpenAPI document of at most 16777216 bytes, found 50000000");
	free(text);
}
END_TEST

/* A chain longer than anybody writes, and one that is as long as allowed. */
static enum rc read_chain(int count, struct err *err)
{
	struct buf buf;
	struct document *document;
	buf_init(&buf, 1 << 20);
	ck_assert(buf_text(&buf, "{\"openapi\":\"3.0.0\",\"paths\":{\"/\":{\"put\":{}}},\"x-a\":{},"
				 "\"components\":{\"schemas\":{\"s0\":{}") == RC_OK);
	for (int i = 1; i <= count; i++)
		ck_assert(buf_print(&buf, ",\"s%d\":{\"$ref\":\"#/components/schemas/s%d\"}", i,
				  i - 1) == RC_OK);
	ck_assert(buf_text(&buf, "}}}") == RC_OK);
	enum rc rc = document_read(buf_slice(&buf), "a", &document, err);
	document_free(document);
	buf_release(&buf);
	return rc;
}

START_TEST(chains)
{
	struct err err = { 0 };
	ck_assert(read_chain(DOCUMENT_REFERENCES, &err) == RC_OK);
	ck_assert(read_chain(DOCUMENT_REFERENCES + 1, &err) == RC_INVALID);
	ck_assert_str_eq(err.text, "/components/schemas/s33/$ref: expected a value within 32 "
				   "references, found \"#/components/schemas/s32\"");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("document");
	tcase_add_loop_test(tests, refuses, 0, (int)(sizeof bad / sizeof *bad));
	tcase_add_loop_test(tests, takes, 0, (int)(sizeof good / sizeof *good));
	tcase_add_test(tests, references);
	tcase_add_test(tests, too_large);
	tcase_add_test(tests, chains);
	Suite *suite = suite_create("openapi/document");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
