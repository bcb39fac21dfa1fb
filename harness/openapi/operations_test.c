#include "openapi/operations.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "openapi/fields.h"
#include "openapi/target.h"

static struct document *read_text(const char *text)
{
	struct err err = { 0 };
	struct document *document;
	enum rc rc = document_read(slice_of(text), "test", &document, &err);
	ck_assert_msg(rc == RC_OK, "%s\n%s", err.text, text);
	return document;
}

/* A path parameter "id" and its place in the target. Values of the styles are the table of OpenAPI 3.1, 4.8.12.4. */
#define RGB "\"example\":{\"R\":100,\"G\":200,\"B\":150}"
#define BBB "\"example\":[\"blue\",\"black\",\"brown\"]"

static const struct {
	const char *why, *in, *parameter, *target;
} targets[] = {
	{ "the parameter's example", "path", "\"example\":\"a b\",\"schema\":{\"example\":\"c\"}",
		"/x/a%20b" },
	{ "the first of its examples", "path", "\"examples\":{\"one\":{\"value\":7}}", "/x/7" },
	{ "the schema's example", "path", "\"schema\":{\"example\":\"a/b\"}", "/x/a%2Fb" },
	{ "the first of the schema's", "path", "\"schema\":{\"examples\":[\"q\",\"r\"]}", "/x/q" },
	{ "its default", "path", "\"schema\":{\"default\":12}", "/x/12" },
	{ "const", "path", "\"schema\":{\"const\":\"c\"}", "/x/c" },
	{ "enum", "path", "\"schema\":{\"enum\":[\"e\",\"f\"]}", "/x/e" },
	{ "an integer", "path", "\"schema\":{\"type\":\"integer\"}", "/x/1" },
	{ "an integer from 10", "path", "\"schema\":{\"type\":\"integer\",\"minimum\":10}",
		"/x/10" },
	{ "an integer above 10", "path",
		"\"schema\":{\"type\":\"integer\",\"exclusiveMinimum\":10}", "/x/11" },
	{ "an integer up to -5", "path", "\"schema\":{\"type\":\"integer\",\"maximum\":-5}",
		"/x/-5" },
	{ "a multiple", "path", "\"schema\":{\"type\":\"integer\",\"multipleOf\":8}", "/x/8" },
	{ "a number between", "path",
		"\"schema\":{\"type\":\"number\",\"exclusiveMinimum\":0,\"exclusiveMaximum\":1}",
		"/x/0.5" },
	{ "a boolean", "path", "\"schema\":{\"type\":\"boolean\"}", "/x/true" },
	{ "a uuid", "path", "\"schema\":{\"type\":\"string\",\"format\":\"uuid\"}",
		"/x/00000000-0000-4000-8000-000000000001" },
	{ "a date", "path", "\"schema\":{\"type\":\"string\",\"format\":\"date\"}",
		"/x/2024-01-01" },
	{ "a time", "path", "\"schema\":{\"type\":\"string\",\"format\":\"date-time\"}",
		"/x/2024-01-01T00%3A00%3A00Z" },
	{ "a string", "path", "\"schema\":{\"type\":\"string\"}", "/x/x" },
	{ "a string of three", "path", "\"schema\":{\"type\":\"string\",\"minLength\":3}",
		"/x/xxx" },
	{ "not null", "path", "\"schema\":{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"integer\"}]}",
		"/x/1" },
	{ "3.1's null", "path", "\"schema\":{\"type\":[\"null\",\"integer\"]}", "/x/1" },
	{ "no schema", "path", "\"a\":1", "/x/x" },
	{ "bytes of UTF-8", "path", "\"example\":\"\xc3\xa9\"", "/x/%C3%A9" },
	{ "an empty one would be another path", "path", "\"example\":\"\"", "/x/x" },
	{ "simple list", "path", BBB, "/x/blue,black,brown" },
	{ "simple object", "path", RGB, "/x/R,100,G,200,B,150" },
	{ "simple object, exploded", "path", "\"explode\":true," RGB, "/x/R=100,G=200,B=150" },
	{ "label list, exploded", "path", "\"style\":\"label\",\"explode\":true," BBB,
		"/x/.blue.black.brown" },
	{ "matrix list", "path", "\"style\":\"matrix\"," BBB, "/x/;id=blue,black,brown" },
	{ "JSON", "path", "\"content\":{\"application/json\":{\"example\":[1]}}", "/x/%5B1%5D" },
	{ "a query", "query", "\"required\":true,\"schema\":{\"type\":\"integer\"}", "/x/x?id=1" },
	{ "one that may be left out is", "query", "\"schema\":{\"type\":\"integer\"}", "/x/x" },
	{ "form list", "query", "\"required\":true," BBB, "/x/x?id=blue&id=black&id=brown" },
	{ "form list in one", "query", "\"required\":true,\"explode\":false," BBB,
		"/x/x?id=blue,black,brown" },
	{ "form object", "query", "\"required\":true," RGB, "/x/x?R=100&G=200&B=150" },
	{ "spaces between", "query",
		"\"required\":true,\"explode\":false,\"style\":\"spaceDelimited\"," BBB,
		"/x/x?id=blue%20black%20brown" },
	{ "pipes between", "query",
		"\"required\":true,\"explode\":false,\"style\":\"pipeDelimited\"," BBB,
		"/x/x?id=blue%7Cblack%7Cbrown" },
	{ "deepObject", "query", "\"required\":true,\"style\":\"deepObject\"," RGB,
		"/x/x?id[R]=100&id[G]=200&id[B]=150" },
};

START_TEST(target)
{
	char *text = mem_print(
		"{\"openapi\":\"3.1.0\",\"paths\":{\"/x/{id}\":{\"get\":{\"parameters\":[{"
		"\"in\":\"%s\",\"name\":\"id\",%s}]}}}}",
		targets[_i].in, targets[_i].parameter);
	struct document *document = read_text(text);
	struct operations operations;
	operations_init(&operations, document, NULL);
	ck_assert_msg(strcmp(operations.list[0].target, targets[_i].target) == 0,
		"%s: expected %s, found %s", targets[_i].why, targets[_i].target,
		operations.list[0].target);
	ck_assert_uint_eq(operations.list[0].undeclared, strcmp(targets[_i].in, "query") == 0);
	operations_release(&operations);
	document_free(document);
	free(text);
}
END_TEST

static const struct {
	const char *servers, *base;
} bases[] = {
	{ "[]", "" },
	{ "[{\"url\":\"/\"}]", "" },
	{ "[{\"url\":\"\"}]", "" },
	{ "[{\"url\":\"/api/v3/\"}]", "/api/v3" },
	{ "[{\"url\":\"api\"}]", "/api" },
	{ "[{\"url\":\"https://a.example\"}]", "" },
	{ "[{\"url\":\"https://a.example:8080/v1?x#y\"},{\"url\":\"/other\"}]", "/v1" },
	{ "[{\"url\":\"//a.example/v1\"}]", "/v1" },
	{ "[{\"url\":\"https://{host}/{version}\",\"variables\":{\"version\":{\"default\":\"v2\"},\"host\":{"
	  "\"default\":\"h\"}}}]",
		"/v2" },
	/* A document has no say in what else is sent. */
	{ "[{\"url\":\"/{v}\",\"variables\":{\"v\":{\"default\":\"a b\\r\\nX: 1\"}}}]",
		"/a%20b%0D%0AX:%201" },
	{ "[{\"url\":\"/a\\r\\nX: 1\"}]", "/a%0D%0AX:%201" },
};

START_TEST(base)
{
	struct arena *arena = arena_new();
	cJSON *servers = cJSON_Parse(bases[_i].servers);
	ck_assert_str_eq(target_base(servers, arena), bases[_i].base);
	cJSON_Delete(servers);
	arena_free(arena);
}
END_TEST

static const struct {
	const char *why, *content, *type, *body;
} bodies[] = {
	{ "required properties only",
		"\"application/json\":{\"schema\":{\"type\":\"object\",\"required\":[\"a\",\"b\",\"c\"],"
		"\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"type\":\"array\",\"minItems\":2,\"items\":"
		"{\"type\":\"boolean\"}},\"c\":{\"readOnly\":true},\"d\":{}}}}",
		"application/json", "{\"a\":1,\"b\":[true,true]}" },
	{ "all of allOf",
		"\"application/json\":{\"schema\":{\"allOf\":[{\"required\":[\"a\"],\"properties\":{\"a\":{"
		"\"const\":1}}},{\"required\":[\"b\"],\"properties\":{\"b\":{\"default\":\"q\"}}}]}}",
		"application/json", "{\"a\":1,\"b\":\"q\"}" },
	{ "JSON before others",
		"\"text/plain\":{},\"application/problem+json\":{\"example\":{\"a\":null}}",
		"application/problem+json", "{\"a\":null}" },
	{ "text", "\"text/plain\":{\"schema\":{\"type\":\"string\",\"minLength\":2}}", "text/plain",
		"xx" },
	{ "bytes", "\"application/octet-stream\":{}", "application/octet-stream", "x" },
	{ "a form", "\"application/x-www-form-urlencoded\":{\"example\":{\"a b\":\"c&d\",\"e\":1}}",
		"application/x-www-form-urlencoded", "a%20b=c%26d&e=1" },
	{ "an upload",
		"\"multipart/form-data\":{\"schema\":{\"type\":\"object\",\"required\":[\"f\",\"n\"],\"properties\":"
		"{\"f\":{\"type\":\"string\",\"contentMediaType\":\"application/octet-stream\"},\"n\":{\"type\":"
		"\"integer\"}}}}",
		"multipart/form-data; boundary=onus-7d1c0a53",
		"--onus-7d1c0a53\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n"
		"Content-Type: application/octet-stream\r\n\r\nx\r\n"
		"--onus-7d1c0a53\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n1\r\n"
		"--onus-7d1c0a53--\r\n" },
	{ "a media type that would begin another field",
		"\"text/plain\\r\\nX-Evil: 1\":{\"example\":\"a\"}", "text/plain  X-Evil: 1", "a" },
	{ "required properties in a circle end",
		"\"application/json\":{\"schema\":{\"required\":[\"a\"],\"properties\":{\"a\":{\"$ref\":"
		"\"#/paths/~1x/post/requestBody/content/application~1json/schema\"}}}}",
		"application/json", NULL },
};

static const struct {
	const char *why, *name, *more, *value; /* value NULL: it is not sent */
} fields[] = {
	{ "required", "X-A", "\"required\":true,\"example\":\"1\"", "1" },
	{ "may be left out", "X-A", "\"example\":\"1\"", NULL },
	{ "given", "X-Given", "\"example\":\"1\"", "7" },
	{ "a line end would begin another field (RFC 9110 section 5.5)", "X-A",
		"\"required\":true,\"example\":\"1\\r\\nX-Evil: 1\\r\\n\\r\\nGET /evil\\u0001\\u007f\"",
		"1  X-Evil: 1    GET /evil" },
	{ "white space around it is none of it", "X-A", "\"required\":true,\"example\":\" \\ta \"",
		"a" },
	{ "bytes of UTF-8", "X-A", "\"required\":true,\"example\":\"\xc3\xa9\"", "\xc3\xa9" },
	{ "no token", "X-A: 1\\r\\nX-Evil", "\"required\":true", NULL },
	{ "no name", "", "\"required\":true", NULL },
	{ "a space", "X A", "\"required\":true", NULL },
	{ "framing", "content-length", "\"required\":true,\"example\":500", NULL },
	{ "framing", "Transfer-Encoding", "\"required\":true,\"example\":\"chunked\"", NULL },
	{ "another server", "Host", "\"required\":true,\"example\":\"a.example\"", NULL },
	{ "to be ignored by OpenAPI 3.1, section 4.8.12.1", "Authorization", "\"required\":true",
		NULL },
	{ "another place", "X-A", "\"required\":true,\"in\":\"cookie\"", NULL },
};

START_TEST(field)
{
	bool placed = strstr(fields[_i].more, "\"in\"");
	char *text =
		mem_print("{\"openapi\":\"3.1.0\",\"paths\":{\"/x\":{\"get\":{\"parameters\":[{"
			  "\"name\":\"%s\",%s%s}]}}}}",
			fields[_i].name, placed ? "" : "\"in\":\"header\",", fields[_i].more);
	struct document *document = read_text(text);
	struct operations operations;
	cJSON *values = cJSON_Parse("{\"X-Given\":7}");
	operations_init(&operations, document, values);
	const struct operation *one = &operations.list[0];
	ck_assert_msg(one->field_count == (fields[_i].value != NULL), "%s", fields[_i].why);
	if (fields[_i].value) {
		ck_assert_str_eq(one->fields[0].name, fields[_i].name);
		ck_assert_str_eq(one->fields[0].value, fields[_i].value);
	}
	operations_release(&operations);
	cJSON_Delete(values);
	document_free(document);
	free(text);
}
END_TEST

/* Parameters of a document without end: what is sent has one. */
START_TEST(many_fields)
{
	char *value = mem_alloc(100 * 1000 + 1, 1), *list = mem_text("");
	memset(value, 'v', 100000);
	for (int i = 0; i < 20; i++) {
		char *longer = mem_print(
			"%s%s{\"in\":\"header\",\"name\":\"X-%d\",\"required\":true,\"example\":"
			"\"%s\"}",
			list, i ? "," : "", i, value);
		free(list);
		list = longer;
	}
	char *text = mem_print(
		"{\"openapi\":\"3.1.0\",\"paths\":{\"/x\":{\"get\":{\"parameters\":[%s]}}}}", list);
	struct document *document = read_text(text);
	struct operations operations;
	operations_init(&operations, document, NULL);
	size_t bytes = 0;
	for (size_t i = 0; i < operations.list[0].field_count; i++)
		bytes += strlen(operations.list[0].fields[i].value);
	ck_assert_uint_gt(operations.list[0].field_count, 0);
	ck_assert_uint_le(bytes, FIELDS_MAX_BYTES);
	operations_release(&operations);
	document_free(document);
	free(text);
	free(list);
	free(value);
}
END_TEST

/* One long example that many operations refer to, many times each: 200 * 5,000 * 100 kB, were they all copied. */
START_TEST(long_examples)
{
	char *value = mem_alloc(100 * 1000 + 1, 1), *paths = mem_text("");
	memset(value, 'v', 100000);
	for (int i = 0; i < 200; i++) {
		char *longer = mem_print(
			"%s%s\"/%d\":{\"post\":{\"requestBody\":{\"content\":{\"a/json\":{},"
			"\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/list\"}}}}}}",
			paths, i ? "," : "", i);
		free(paths);
		paths = longer;
	}
	char *text = mem_print(
		"{\"openapi\":\"3.1.0\",\"paths\":{%s},\"components\":{\"schemas\":{\"list\":{\"type\":\"array\","
		"\"minItems\":5000,\"items\":{\"example\":\"%s\"}}}}}",
		paths, value);
	struct document *document = read_text(text);
	struct operations operations;
	operations_init(&operations, document, NULL);
	size_t bytes = 0;
	ck_assert_uint_eq(operations.count, 200);
	for (size_t i = 0; i < operations.count; i++)
		bytes += operations.list[i].body.len;
	ck_assert_uint_gt(operations.list[0].body.len, 100000);
	ck_assert_uint_le(bytes, OPERATIONS_EXAMPLES_MAX_BYTES);
	operations_release(&operations);
	document_free(document);
	free(text);
	free(paths);
	free(value);
}
END_TEST

START_TEST(body)
{
	char *text =
		mem_print("{\"openapi\":\"3.1.0\",\"paths\":{\"/x\":{\"post\":{\"requestBody\":{"
			  "\"required\":true,\"content\":{%s}}}}}}",
			bodies[_i].content);
	struct document *document = read_text(text);
	struct operations operations;
	operations_init(&operations, document, NULL);
	const struct operation *operation = &operations.list[0];
	ck_assert(operation->body_required);
	ck_assert_str_eq(operation->body_type, bodies[_i].type);
	ck_assert_msg(!bodies[_i].body || slice_is(operation->body, bodies[_i].body), "%s: %.*s",
		bodies[_i].why, SLICE_PRINT(operation->body));
	ck_assert(operation->body.len > 0 && operation->body.len < 5000);
	operations_release(&operations);
	document_free(document);
	free(text);
}
END_TEST

static const char WHOLE[] =
	"{\"openapi\":\"3.0.3\",\"security\":[{\"key\":[]}],\"servers\":[{\"url\":\"/api\"}],\"paths\":{"
	"\"/b/{id}\":{\"parameters\":[{\"$ref\":\"#/components/parameters/id\"},{\"in\":\"query\",\"name\":\"q\","
	"\"required\":true,\"schema\":{\"type\":\"integer\"}}],"
	"\"post\":{\"operationId\":\"make\",\"deprecated\":true,\"summary\":\"s\",\"description\":\"use /a\","
	"\"parameters\":[{\"in\":\"query\",\"name\":\"q\",\"required\":false}],\"security\":[{},{\"key\":[]}],"
	"\"responses\":{\"default\":{\"content\":{\"a/b\":{}}},\"201\":{\"$ref\":\"#/components/responses/made\"}}},"
	"\"get\":{\"security\":[],\"servers\":[{\"url\":\"/v2\"}],\"responses\":{\"default\":{\"content\":{\"text/"
	"event-stream; charset=utf-8\":{}}}}}},"
	"\"x-not\":{\"get\":{}},\"/a\":{\"delete\":{\"responses\":{\"204\":{}}}}},"
	"\"components\":{\"parameters\":{\"id\":{\"in\":\"path\",\"name\":\"id\",\"required\":true,\"example\":5}},"
	"\"responses\":{\"made\":{\"content\":{\"application/json\":{},\"text/plain\":{}}}}}}";

/* Values of the caller's own go before the document's, also of a query parameter that may be left out. */
START_TEST(given)
{
	struct document *document = read_text(WHOLE);
	struct operations operations;
	cJSON *values = cJSON_Parse("{\"id\":\"a b/c\",\"q\":[2,3],\"other\":1}");
	operations_init(&operations, document, values);
	ck_assert_str_eq(operations.list[0].target, "/api/b/a%20b%2Fc?q=2&q=3");
	ck_assert_str_eq(operations.list[0].parameters[0].value, "a b/c");
	ck_assert_str_eq(operations.list[1].target, "/v2/b/a%20b%2Fc?q=2&q=3");
	ck_assert_str_eq(operations.list[2].target, "/api/a");
	operations_release(&operations);
	cJSON_Delete(values);
	document_free(document);
}
END_TEST

START_TEST(walk)
{
	struct document *document = read_text(WHOLE);
	struct operations operations;
	operations_init(&operations, document, NULL);
	ck_assert_uint_eq(operations.count, 3);
	const struct operation *make = &operations.list[0], *events = &operations.list[1];
	const struct operation *gone = &operations.list[2];
	ck_assert_str_eq(make->name, "POST /b/{id}");
	ck_assert_str_eq(make->id, "make");
	ck_assert_str_eq(make->description, "use /a");
	ck_assert(make->deprecated && !events->deprecated);
	ck_assert_str_eq(make->target, "/api/b/5");
	ck_assert_uint_eq(make->parameter_count, 2);
	ck_assert_str_eq(make->parameters[0].value, "5");
	ck_assert(make->security == SECURITY_OPTIONAL && events->security == SECURITY_OPEN);
	ck_assert(gone->security == SECURITY_REQUIRED);
	ck_assert_str_eq(make->success_types[0], "application/json");
	ck_assert_str_eq(make->success_types[1], "text/plain");
	ck_assert_ptr_null(make->success_types[2]);
	ck_assert_str_eq(events->name, "GET /b/{id}");
	ck_assert_str_eq(events->target, "/v2/b/5?q=1");
	ck_assert(events->events && !make->events);
	ck_assert_str_eq(gone->name, "DELETE /a");
	ck_assert_ptr_null(gone->success_types[0]);
	ck_assert_ptr_null(gone->body_type);
	ck_assert_ptr_null(gone->body.ptr);
	ck_assert_ptr_null(gone->body_types[0]);
	operations_release(&operations);
	document_free(document);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("operations");
	tcase_add_loop_test(tests, target, 0, (int)(sizeof targets / sizeof *targets));
	tcase_add_loop_test(tests, base, 0, (int)(sizeof bases / sizeof *bases));
	tcase_add_loop_test(tests, body, 0, (int)(sizeof bodies / sizeof *bodies));
	tcase_add_loop_test(tests, field, 0, (int)(sizeof fields / sizeof *fields));
	tcase_add_test(tests, many_fields);
	tcase_add_test(tests, long_examples);
	tcase_add_test(tests, walk);
	tcase_add_test(tests, given);
	Suite *suite = suite_create("openapi/operations");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
