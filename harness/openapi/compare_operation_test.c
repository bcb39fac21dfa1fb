#include "openapi/compare_testing.h"

#define Q(members) "\"parameters\":[{\"in\":\"query\",\"name\":\"limit\"," members "}]"
#define INTEGER    "\"schema\":{\"type\":\"integer\"}"
#define OK         "\"responses\":{\"200\":{\"description\":\"\"}}"
#define GET(path)  "\"" path "\":{\"get\":{" OK "}}"
#define ID(name)   "{\"in\":\"path\",\"name\":\"" name "\",\"required\":true," INTEGER "}"
#define TEXT(type) "\"" type "\":{\"schema\":{\"type\":\"string\"}}"
#define USED(component)                                                                            \
	"\"paths\":{\"/x\":{\"get\":{\"responses\":{\"200\":{\"content\":{\"a/b\":{\"schema\":{"   \
	"\"$ref\":\"#/components/schemas/" component "\"}}}}}}}}"
#define SCHEMES(flow)                                                                              \
	"\"components\":{\"securitySchemes\":{\"key\":{\"type\":\"apiKey\",\"in\":\"" flow "\"}}}"

static const struct row rows[] = {
	{ "a path is gone", PATHS, GET("/a") "," GET("/b"), GET("/a"), "breaking GET /b removed\n",
		0, 0 },
	{ "a path more", PATHS, GET("/a"), GET("/a") "," GET("/b"), "additive GET /b added\n", 0,
		0 },
	{ "one method for another", PATHS, "\"/a\":{\"get\":{}}", "\"/a\":{\"put\":{}}",
		"breaking GET /a removed\nadditive PUT /a added\n", 0, 0 },
	{ "another name for a variable", PATHS,
		"\"/a/{id}\":{\"get\":{\"parameters\":[" ID("id") "]}}",
		"\"/a/{key}\":{\"get\":{\"parameters\":[" ID("key") "]}}",
		"documentation /a/{id} renamed: /a/{key}\n"
		"documentation GET /a/{id} path id name \"id\" -> \"key\"\n",
		0, 0 },
	{ "a parameter is gone", OPERATION, Q(INTEGER), "\"parameters\":[]",
		"breaking GET /x query limit removed\n", 0, 0 },
	{ "an optional parameter", OPERATION, OK, Q(INTEGER) "," OK,
		"additive GET /x query limit added\n", 0, 0 },
	{ "a required parameter", OPERATION, OK, Q("\"required\":true," INTEGER) "," OK,
		"breaking GET /x query limit added, required\n", 0, 0 },
	{ "a parameter gets required", OPERATION, Q(INTEGER), Q("\"required\":true," INTEGER),
		"breaking GET /x query limit required added\n", 0, 0 },
	{ "a parameter's type", OPERATION, Q(INTEGER), Q("\"schema\":{\"type\":\"string\"}"),
		"breaking GET /x query limit /type \"integer\" -> \"string\"\n", 0, 0 },
	{ "a parameter's bound", OPERATION, Q("\"schema\":{\"maximum\":100}"),
		Q("\"schema\":{\"maximum\":50}"),
		"breaking GET /x query limit /maximum 100 -> 50\n", 0, 0 },
	{ "a list in another style", OPERATION, Q(INTEGER), Q("\"explode\":false," INTEGER),
		"breaking GET /x query limit explode true -> false\n", 0, 0 },
	{ "the default style written out", OPERATION, Q(INTEGER),
		Q("\"style\":\"form\",\"explode\":true," INTEGER), "", 0, 0 },
	{ "a parameter's deprecated", OPERATION, Q("\"deprecated\":true," INTEGER), Q(INTEGER),
		"documentation GET /x query limit deprecated removed\n", 0, 0 },
	{ "the path's parameter is the operation's", PATHS,
		"\"/x\":{\"parameters\":[{\"in\":\"header\",\"name\":\"X-A\"}],\"get\":{}}",
		"\"/x\":{\"get\":{\"parameters\":[{\"in\":\"header\",\"name\":\"X-A\"}]}}", "", 0,
		0 },
	{ "the operation's goes before the path's", PATHS,
		"\"/x\":{\"parameters\":[{\"in\":\"query\",\"name\":\"a\",\"required\":true}],\"get\":"
		"{\"parameters\":[{\"in\":\"query\",\"name\":\"a\"}]}}",
		"\"/x\":{\"get\":{\"parameters\":[{\"in\":\"query\",\"name\":\"a\"}]}}", "", 0, 0 },
	{ "a status is gone", OPERATION, "\"responses\":{\"200\":{},\"404\":{}}",
		"\"responses\":{\"200\":{}}", "breaking GET /x 404 removed\n", 0, 0 },
	{ "a status more", OPERATION, "\"responses\":{\"200\":{}}",
		"\"responses\":{\"200\":{},\"409\":{}}", "additive GET /x 409 added\n", 0, 0 },
	{ "an answer's media type", OPERATION,
		"\"responses\":{\"200\":{\"content\":{" TEXT("text/plain") "," TEXT("a/b") "}}}",
		"\"responses\":{\"200\":{\"content\":{" TEXT("a/b") "}}}",
		"breaking GET /x 200 text/plain removed\n", 0, 0 },
	{ "media types have no case, parameters no order", OPERATION,
		"\"responses\":{\"200\":{\"content\":{" TEXT("Text/Plain; Charset=UTF-8;a=b") "}}}",
		"\"responses\":{\"200\":{\"content\":{" TEXT("text/plain;a=b; charset=utf-8") "}}}",
		"", 0, 0 },
	{ "a response header is gone", OPERATION,
		"\"responses\":{\"200\":{\"headers\":{\"X-Total\":{" INTEGER "}}}}",
		"\"responses\":{\"200\":{}}", "breaking GET /x 200 header X-Total removed\n", 0,
		0 },
	{ "a response header's type; names have no case", OPERATION,
		"\"responses\":{\"200\":{\"headers\":{\"X-Total\":{" INTEGER "}}}}",
		"\"responses\":{\"200\":{\"headers\":{\"x-total\":{\"schema\":{\"type\":\"string\"}}}}}",
		"breaking GET /x 200 header X-Total /type \"integer\" -> \"string\"\n", 0, 0 },
	{ "a text", OPERATION, "\"responses\":{\"200\":{\"description\":\"a\"}}",
		"\"responses\":{\"200\":{\"description\":\"b\"}}",
		"documentation GET /x 200 description \"a\" -> \"b\"\n", 0, 0 },
	{ "a body is wanted", OPERATION, OK,
		OK ",\"requestBody\":{\"required\":true,\"content\":{}}",
		"breaking GET /x request added, required\n", 0, 0 },
	{ "a body may come", OPERATION, OK, OK ",\"requestBody\":{\"content\":{}}",
		"additive GET /x request added\n", 0, 0 },
	{ "a body is not taken any more", OPERATION, "\"requestBody\":{\"content\":{}}", OK,
		"breaking GET /x request removed\nadditive GET /x 200 added\n", 0, 0 },
	{ "a body's media type", OPERATION,
		"\"requestBody\":{\"content\":{" TEXT("a/b") "," TEXT("c/d") "}}",
		"\"requestBody\":{\"content\":{" TEXT("c/d") "," TEXT("e/f") "}}",
		"breaking GET /x request a/b removed\nadditive GET /x request e/f added\n", 0, 0 },
	{ "a body gets required", OPERATION, "\"requestBody\":{\"content\":{}}",
		"\"requestBody\":{\"required\":true,\"content\":{}}",
		"breaking GET /x request required added\n", 0, 0 },
	{ "an upload's part", OPERATION,
		"\"requestBody\":{\"content\":{\"multipart/form-data\":{\"encoding\":{\"f\":{"
		"\"contentType\":\"image/png\"}}}}}",
		"\"requestBody\":{\"content\":{\"multipart/form-data\":{\"encoding\":{\"f\":{"
		"\"contentType\":\"image/gif\"}}}}}",
		"breaking GET /x request multipart/form-data encoding f contentType \"image/png\" -> "
		"\"image/gif\"\n",
		0, 0 },
	{ "deprecated lost", OPERATION, "\"deprecated\":true," OK, OK,
		"documentation GET /x deprecated removed\n", 0, 0 },
	{ "deprecated now", OPERATION, OK, "\"deprecated\":true," OK,
		"documentation GET /x deprecated added\n", 0, 0 },
	{ "operationId", OPERATION, "\"operationId\":\"a\"", "\"operationId\":\"b\"",
		"documentation GET /x operationId \"a\" -> \"b\"\n", 0, 0 },
	{ "tags", OPERATION, "\"tags\":[\"a\",\"b\"]", "\"tags\":[\"c\",\"a\"]",
		"documentation GET /x tags [\"a\",\"b\"] -> [\"c\",\"a\"]\n", 0, 0 },
	{ "an unguarded route", OPERATION, "\"security\":[{\"key\":[]}]", OK,
		"breaking GET /x security removed, open to everyone\nadditive GET /x 200 added\n",
		0, 0 },
	{ "credentials that may be left out", OPERATION, "\"security\":[{\"key\":[]}]",
		"\"security\":[{\"key\":[]},{}]",
		"breaking GET /x security made optional, open to everyone\n", 0, 0 },
	{ "credentials that are wanted", OPERATION, "\"deprecated\":false",
		"\"security\":[{\"key\":[]}]", "breaking GET /x security added\n", 0, 0 },
	{ "one way to sign in less, one more", OPERATION,
		"\"security\":[{\"key\":[]},{\"oauth\":[\"read\",\"write\"]}]",
		"\"security\":[{\"oauth\":[\"write\",\"read\"]},{\"a\":[],\"b\":[]}]",
		"breaking GET /x security key removed\nadditive GET /x security a + b added\n", 0,
		0 },
	{ "credentials that may not be left out any more", OPERATION,
		"\"security\":[{\"key\":[]},{}]", "\"security\":[{\"key\":[]}]",
		"breaking GET /x security made compulsory\n", 0, 0 },
	{ "the document's security is the operation's", DOCUMENT,
		"\"security\":[{\"key\":[]}],\"paths\":{\"/x\":{\"get\":{}}}",
		"\"paths\":{\"/x\":{\"get\":{\"security\":[{\"key\":[]}]}}}", "", 0, 0 },
	{ "a server is gone", DOCUMENT,
		"\"servers\":[{\"url\":\"/a\"},{\"url\":\"/b\"}],\"paths\":{" GET("/x") "}",
		"\"servers\":[{\"url\":\"/b\"}],\"paths\":{" GET("/x") "}",
		"breaking servers \"/a\" removed\n", 0, 0 },
	{ "the version of the document", DOCUMENT,
		"\"info\":{\"version\":\"1\"},\"paths\":{" GET("/x") "}",
		"\"info\":{\"version\":\"2\"},\"paths\":{" GET("/x") "}",
		"documentation info version \"1\" -> \"2\"\n", 0, 0 },
	{ "a component by another name", DOCUMENT,
		USED("A") ",\"components\":{\"schemas\":{\"A\":{\"type\":\"string\"}}}",
		USED("B") ",\"components\":{\"schemas\":{\"B\":{\"type\":\"string\"}}}", "", 0, 0 },
	{ "a component that changes inside", DOCUMENT,
		USED("A") ",\"components\":{\"schemas\":{\"A\":{\"enum\":[1,2]}}}",
		USED("A") ",\"components\":{\"schemas\":{\"A\":{\"enum\":[1]}}}",
		"additive GET /x 200 a/b /enum 2 removed\n", 0, 0 },
	{ "components that nothing refers to", DOCUMENT,
		"\"paths\":{" GET(
			"/x") "},\"components\":{\"schemas\":{\"A\":{\"type\":\"string\"},"
			      "\"B\":{}}}",
		"\"paths\":{" GET(
			"/x") "},\"components\":{\"schemas\":{\"A\":{\"type\":\"integer\"},"
			      "\"C\":{}}}",
		"documentation components schemas A /type \"string\" -> \"integer\"\n"
		"documentation components schemas B removed\n"
		"documentation components schemas C added\n",
		0, 0 },
	{ "a security scheme", DOCUMENT, "\"paths\":{" GET("/x") "}," SCHEMES("header"),
		"\"paths\":{" GET("/x") "}," SCHEMES("query"),
		"breaking components securitySchemes key in \"header\" -> \"query\"\n", 0, 0 },
	{ "a callback's request is an answer: what comes unasked may hurt", OPERATION,
		"\"callbacks\":{\"done\":{\"{$url}\":{\"post\":{\"requestBody\":{\"content\":{\"a/b\":{"
		"\"schema\":{\"enum\":[1]}}}}}}}}",
		"\"callbacks\":{\"done\":{\"{$url}\":{\"post\":{\"requestBody\":{\"content\":{\"a/b\":{"
		"\"schema\":{\"enum\":[1,2]}}}}}}}}",
		"breaking GET /x callbacks done POST {$url} request a/b /enum 2 added\n", 0, 0 },
	{ "a webhook", DOCUMENT, "\"paths\":{" GET("/x") "},\"webhooks\":{\"w\":{\"post\":{}}}",
		"\"paths\":{" GET("/x") "},\"webhooks\":{}", "breaking webhooks POST w removed\n",
		0, 0 },
	{ "the mapping of a discriminator", PATHS,
		"\"/x\":{\"get\":{\"responses\":{\"200\":{\"content\":{\"a/b\":{\"schema\":{\"discriminator\":"
		"{\"propertyName\":\"k\",\"mapping\":{\"c\":\"Cat\",\"d\":\"#/components/schemas/Dog\"}}}}}}}}}",
		"\"/x\":{\"get\":{\"responses\":{\"200\":{\"content\":{\"a/b\":{\"schema\":{\"discriminator\":"
		"{\"propertyName\":\"k\",\"mapping\":{\"c\":\"#/components/schemas/Cat\"}}}}}}}}}",
		"breaking GET /x 200 a/b /discriminator/mapping/d removed\n", 0, 0 },
};

START_TEST(change)
{
	check_row(&rows[_i]);
}
END_TEST

/* One component at three places: told once, with the number of places. */
START_TEST(places)
{
	static const char FORM[] =
		"{\"openapi\":\"3.0.0\",\"paths\":{\"/a\":{\"get\":{\"responses\":{\"200\":{\"content\":{"
		"\"a/b\":{\"schema\":{\"properties\":{\"x\":{\"$ref\":\"#/components/schemas/A\"},\"y\":{\"$ref\":"
		"\"#/components/schemas/A\"},\"z\":{\"$ref\":\"#/components/schemas/A\"}}}}}}}}}},"
		"\"components\":{\"schemas\":{\"A\":{\"type\":\"%s\"}}}}";
	char *old_text = mem_print(FORM, "string"), *new_text = mem_print(FORM, "integer");
	struct document *old = read_text(old_text), *new = read_text(new_text);
	struct changes changes;
	compare_documents(old, new, &changes);
	ck_assert_uint_eq(changes.count, 1);
	ck_assert_uint_eq(changes.total[CHANGE_BREAKING], 1);
	ck_assert_uint_eq(changes.list[0].places, 3);
	ck_assert_str_eq(changes.list[0].where, "GET /a 200 a/b /properties/x/type");
	changes_release(&changes);
	document_free(old);
	document_free(new);
	free(old_text);
	free(new_text);
}
END_TEST

static struct document *with_paths(int count, const char *text)
{
	struct buf buf;
	buf_init(&buf, 1 << 20);
	ck_assert(buf_text(&buf, "{\"openapi\":\"3.1.0\",\"paths\":{\"/\":{\"get\":{}}") == RC_OK);
	for (int i = 0; i < count; i++)
		ck_assert(buf_print(&buf, ",\"/%d\":{\"get\":{\"summary\":\"%s\"}}", i, text) ==
			  RC_OK);
	ck_assert(buf_text(&buf, "}}") == RC_OK);
	struct document *document = read_text((char *)buf.data);
	buf_release(&buf);
	return document;
}

/* A thousand are kept and the rest counted; what breaks goes before texts, however many these are. */
START_TEST(many)
{
	struct document *old = with_paths(1500, "a"), *new = with_paths(1500, "b");
	struct document *none = with_paths(0, "");
	struct changes changes;
	compare_documents(old, new, &changes);
	ck_assert_uint_eq(changes.count, CHANGES_MAX);
	ck_assert_uint_eq(changes.total[CHANGE_DOCUMENTATION], 1500);
	changes_release(&changes);
	compare_documents(old, none, &changes);
	ck_assert_uint_eq(changes.count, CHANGES_MAX);
	ck_assert_uint_eq(changes.total[CHANGE_BREAKING], 1500);
	changes_release(&changes);
	document_free(old);
	document_free(new);
	document_free(none);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("compare_operation");
	tcase_add_loop_test(tests, change, 0, (int)(sizeof rows / sizeof *rows));
	tcase_add_test(tests, places);
	tcase_add_test(tests, many);
	Suite *suite = suite_create("openapi/compare_operation");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
