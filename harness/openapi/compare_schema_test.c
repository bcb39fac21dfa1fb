#include "openapi/compare_testing.h"

#define A         "GET /x 200 application/json"
#define R         "POST /x request application/json"
#define REF(name) "{\"$ref\":\"#/components/schemas/" name "\"}"
#define INLINE_CAT                                                                                 \
	"{\"type\":\"object\",\"required\":[\"meow\"],\"properties\":{\"meow\":{\"type\":\"string\"}}}"
#define OBJECT(properties) "{\"type\":\"object\",\"properties\":{" properties "}}"

static const struct row rows[] = {
	/* The document's own example: a property below names. */
	{ "a property of an answer's items is lost", ANSWER,
		"{\"type\":\"array\",\"items\":" OBJECT(
			"\"kind\":{\"type\":\"string\"},\"id\":{}") "}",
		"{\"type\":\"array\",\"items\":" OBJECT("\"id\":{}") "}",
		"breaking " A " /items/properties/kind removed\n", 0, 0 },
	{ "a property more in an answer is no harm", ANSWER, OBJECT("\"a\":{}"),
		OBJECT("\"a\":{},\"b\":{\"type\":\"string\"}"),
		"additive " A " /properties/b added\n", 0, 0 },
	{ "what may be sent is gone", REQUEST, OBJECT("\"a\":{},\"b\":{}"), OBJECT("\"a\":{}"),
		"breaking " R " /properties/b removed\n", 0, 0 },
	{ "more may be sent", REQUEST, OBJECT("\"a\":{}"), OBJECT("\"a\":{},\"b\":{}"),
		"additive " R " /properties/b added\n", 0, 0 },
	{ "who doesn't know it can't send it", REQUEST, OBJECT("\"a\":{}"),
		"{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}},\"required\":[\"b\"]}",
		"breaking " R " /properties/b added, required\n", 0, 0 },
	{ "the same in an answer promises more", ANSWER, OBJECT("\"a\":{}"),
		"{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}},\"required\":[\"b\"]}",
		"additive " A " /properties/b added, required\n", 0, 0 },
	{ "a lost property takes its required along", ANSWER, INLINE_CAT, OBJECT(""),
		"breaking " A " /properties/meow removed\n", 0, 0 },
	{ "an answer may lack it now", ANSWER, INLINE_CAT, OBJECT("\"meow\":{\"type\":\"string\"}"),
		"breaking " A " /required \"meow\" removed\n", 0, 0 },
	{ "a request may lack it now", REQUEST, INLINE_CAT,
		OBJECT("\"meow\":{\"type\":\"string\"}"),
		"additive " R " /required \"meow\" removed\n", 0, 0 },
	{ "a request must have it now", REQUEST, OBJECT("\"meow\":{\"type\":\"string\"}"),
		INLINE_CAT, "breaking " R " /required \"meow\" added\n", 0, 0 },
	{ "another type", ANSWER, "{\"type\":\"string\"}", "{\"type\":\"integer\"}",
		"breaking " A " /type \"string\" -> \"integer\"\n", 0, 0 },
	{ "an answer's integer may have a fraction", ANSWER, "{\"type\":\"integer\"}",
		"{\"type\":\"number\"}", "breaking " A " /type \"integer\" -> \"number\"\n", 0, 0 },
	{ "a request's integer may have one", REQUEST, "{\"type\":\"integer\"}",
		"{\"type\":\"number\"}", "additive " R " /type \"integer\" -> \"number\"\n", 0, 0 },
	{ "one type less may be sent", REQUEST, "{\"type\":[\"string\",\"integer\"]}",
		"{\"type\":\"string\"}", "breaking " R " /type \"string|integer\" -> \"string\"\n",
		0, 0 },
	{ "null may come", ANSWER, "{\"type\":\"string\"}", "{\"type\":[\"string\",\"null\"]}",
		"breaking " A " /type \"string\" -> \"string|null\"\n", 0, 0 },
	{ "no type at all", ANSWER, "{\"type\":\"string\",\"maxLength\":3}", "{\"maxLength\":3}",
		"breaking " A " /type \"string\" -> \"any\"\n", 0, 0 },
	{ "anything instead of a schema", ANSWER, OBJECT("\"a\":{\"type\":\"string\"}"),
		OBJECT("\"a\":{}"), "breaking " A " /properties/a a schema -> anything\n", 0, 0 },
	{ "an answer has one value more", ANSWER, "{\"enum\":[\"a\",\"b\"]}",
		"{\"enum\":[\"a\",\"b\",\"c\"]}", "breaking " A " /enum \"c\" added\n", 0, 0 },
	{ "an answer has one value less", ANSWER, "{\"enum\":[\"a\",\"b\"]}", "{\"enum\":[\"b\"]}",
		"additive " A " /enum \"a\" removed\n", 0, 0 },
	{ "a request's value is refused", REQUEST, "{\"enum\":[\"a\",\"b\"]}", "{\"enum\":[\"b\"]}",
		"breaking " R " /enum \"a\" removed\n", 0, 0 },
	{ "a request has one value more", REQUEST, "{\"enum\":[\"b\"]}", "{\"enum\":[\"a\",\"b\"]}",
		"additive " R " /enum \"a\" added\n", 0, 0 },
	{ "a value for another", ANSWER, "{\"const\":\"a\"}", "{\"const\":\"b\"}",
		"breaking " A " /const \"a\" -> \"b\"\n", 0, 0 },
	{ "const is an enum of one", ANSWER, "{\"const\":\"a\"}", "{\"enum\":[\"a\"]}", "", 0, 0 },
	{ "an enum that goes", ANSWER, "{\"type\":\"string\",\"enum\":[\"a\"]}",
		"{\"type\":\"string\"}", "breaking " A " /enum removed: \"a\"\n", 0, 0 },
	{ "a lower bound raised", REQUEST, "{\"minimum\":1}", "{\"minimum\":2}",
		"breaking " R " /minimum 1 -> 2\n", 0, 0 },
	{ "a lower bound let down", REQUEST, "{\"minimum\":2}", "{\"minimum\":1}",
		"additive " R " /minimum 2 -> 1\n", 0, 0 },
	{ "an upper bound let down", REQUEST, "{\"maxLength\":9}", "{\"maxLength\":5}",
		"breaking " R " /maxLength 9 -> 5\n", 0, 0 },
	{ "an upper bound that comes", REQUEST, "{\"type\":\"array\"}",
		"{\"type\":\"array\",\"maxItems\":5}", "breaking " R " /maxItems none -> 5\n", 0,
		0 },
	{ "an answer's list may be empty", ANSWER, "{\"minItems\":1}",
		"{\"type\":\"array\",\"minItems\":0}",
		"breaking " A " /minItems 1 -> none\nadditive " A " /type \"any\" -> \"array\"\n",
		0, 0 },
	{ "the bound itself is out", REQUEST, "{\"maximum\":5}", "{\"exclusiveMaximum\":5}",
		"breaking " R " /maximum 5 -> exclusive 5\n", 0, 0 },
	{ "exclusive in the words of 3.0 and 3.1", REQUEST,
		"{\"minimum\":5,\"exclusiveMinimum\":true}", "{\"exclusiveMinimum\":5}", "",
		"3.0.3", "3.1.0" },
	{ "a pattern that comes", REQUEST, "{\"type\":\"string\"}",
		"{\"type\":\"string\",\"pattern\":\"^a\"}",
		"breaking " R " /pattern added: \"^a\"\n", 0, 0 },
	{ "a step that changes", REQUEST, "{\"multipleOf\":2}", "{\"multipleOf\":3}",
		"breaking " R " /multipleOf 2 -> 3\n", 0, 0 },
	{ "no repeats from now on", REQUEST, "{\"type\":\"array\"}",
		"{\"type\":\"array\",\"uniqueItems\":true}", "breaking " R " /uniqueItems added\n",
		0, 0 },
	{ "another format", ANSWER, "{\"type\":\"string\",\"format\":\"date\"}",
		"{\"type\":\"string\",\"format\":\"date-time\"}",
		"breaking " A " /format \"date\" -> \"date-time\"\n", 0, 0 },
	{ "an upload in either spelling", REQUEST, "{\"type\":\"string\",\"format\":\"binary\"}",
		"{\"type\":\"string\",\"contentMediaType\":\"application/octet-stream\"}", "", 0,
		0 },
	{ "an upload that became a text", REQUEST,
		"{\"type\":\"string\",\"contentMediaType\":\"application/octet-stream\"}",
		"{\"type\":\"string\"}",
		"breaking " R " /contentMediaType removed: \"application/octet-stream\"\n", 0, 0 },
	{ "nothing else is allowed", REQUEST, "{\"type\":\"object\"}",
		"{\"type\":\"object\",\"additionalProperties\":false}",
		"breaking " R " /additionalProperties anything -> nothing\n", 0, 0 },
	{ "true is the same as nothing said", REQUEST, "{\"type\":\"object\"}",
		"{\"type\":\"object\",\"additionalProperties\":true,\"required\":[]}", "", 0, 0 },
	{ "what is not allowed turns round", REQUEST, "{\"not\":{\"enum\":[1,2]}}",
		"{\"not\":{\"enum\":[1]}}", "additive " R " /not/enum 2 removed\n", 0, 0 },
	{ "a row by position", ANSWER, "{\"prefixItems\":[{\"type\":\"string\"},{\"const\":1}]}",
		"{\"prefixItems\":[{\"type\":\"string\"},{\"const\":2}]}",
		"breaking " A " /prefixItems/1/const 1 -> 2\n", 0, 0 },
	{ "a default that changes what a request means", REQUEST, "{\"default\":1}",
		"{\"default\":2}", "breaking " R " /default 1 -> 2\n", 0, 0 },
	{ "the same in an answer says nothing", ANSWER, "{\"default\":1}", "{\"default\":2}",
		"documentation " A " /default 1 -> 2\n", 0, 0 },
	{ "readOnly", REQUEST, "{\"type\":\"string\"}", "{\"type\":\"string\",\"readOnly\":true}",
		"breaking " R " /readOnly added\n", 0, 0 },
	{ "texts", ANSWER, "{\"title\":\"a\",\"description\":\"b\",\"example\":1}",
		"{\"title\":\"c\",\"description\":\"d\",\"example\":2}",
		"documentation " A " /description \"b\" -> \"d\"\n"
		"documentation " A " /example 1 -> 2\n"
		"documentation " A " /title \"a\" -> \"c\"\n",
		0, 0 },
	{ "an extension", ANSWER, "{\"x-a\":1}", "{\"x-a\":{\"b\":2}}",
		"documentation " A " /x-a 1 -> {\"b\":2}\n", 0, 0 },
	{ "a property's deprecated lost", ANSWER, "{\"type\":\"string\",\"deprecated\":true}",
		"{\"type\":\"string\"}", "documentation " A " /deprecated removed\n", 0, 0 },
	{ "an unknown keyword is data", ANSWER, "{\"type\":\"string\",\"odd\":[1]}",
		"{\"type\":\"string\",\"odd\":[2]}", "breaking " A " /odd [1] -> [2]\n", 0, 0 },
	{ "a property may be called enum, default or $ref", ANSWER,
		OBJECT("\"enum\":{\"type\":\"string\"},\"default\":{\"type\":\"string\"},"
		       "\"$ref\":{\"type\":\"string\"}"),
		OBJECT("\"enum\":{\"type\":\"string\"},\"default\":{\"type\":\"integer\"},"
		       "\"$ref\":{\"type\":\"string\"}"),
		"breaking " A " /properties/default/type \"string\" -> \"integer\"\n", 0, 0 },
	{ "nullable in the words of 3.0 and 3.1", ANSWER, "{\"type\":\"string\",\"nullable\":true}",
		"{\"type\":[\"string\",\"null\"]}", "", "3.0.3", "3.1.0" },
	{ "a nullable component in both", ANSWER, "{\"nullable\":true,\"allOf\":[" REF("Cat") "]}",
		"{\"anyOf\":[" REF("Cat") ",{\"type\":\"null\"}]}", "", "3.0.3", "3.1.0" },
	{ "null of a component goes", REQUEST, "{\"anyOf\":[" REF("Cat") ",{\"type\":\"null\"}]}",
		REF("Cat"), "breaking " R " /type null removed\n", 0, 0 },
	{ "inlining is no change", ANSWER, REF("Cat"), INLINE_CAT, "", 0, 0 },
	{ "a cycle unrolled once is no change", ANSWER, REF("Tree"),
		OBJECT("\"next\":" REF("Tree")), "", 0, 0 },
	{ "alternatives in another order", ANSWER, "{\"oneOf\":[" REF("Cat") "," REF("Dog") "]}",
		"{\"oneOf\":[" REF("Dog") "," INLINE_CAT "]}", "", 0, 0 },
	{ "an answer has an alternative more", ANSWER,
		"{\"oneOf\":[" REF("Cat") "," REF("Dog") "]}",
		"{\"oneOf\":[" REF("Dog") ",{\"type\":\"string\"}," REF("Cat") "]}",
		"breaking " A " /oneOf/1 added\n", 0, 0 },
	{ "a request has one less", REQUEST,
		"{\"anyOf\":[" REF("Cat") "," REF("Dog") ",{\"type\":\"string\"}]}",
		"{\"anyOf\":[{\"type\":\"string\"}," REF("Cat") "]}",
		"breaking " R " /anyOf/1 removed: Dog\n", 0, 0 },
	{ "a change inside one that moved", ANSWER, "{\"anyOf\":[" REF("Dog") "," INLINE_CAT "]}",
		"{\"anyOf\":[" OBJECT("\"meow\":{\"type\":\"string\"}") "," REF("Dog") "]}",
		"breaking " A " /anyOf/1/required \"meow\" removed\n", 0, 0 },
	{ "a part of allOf is gone", ANSWER, "{\"allOf\":[" REF("Cat") "," REF("Dog") "]}",
		"{\"allOf\":[" REF("Cat") "]}", "breaking " A " /allOf/1 removed: Dog\n", 0, 0 },
	{ "one of two beside null is gone", REQUEST,
		"{\"anyOf\":[" REF("Cat") "," REF("Dog") ",{\"type\":\"null\"}]}",
		"{\"anyOf\":[" REF("Cat") ",{\"type\":\"null\"}]}",
		"breaking " R " /anyOf/1 removed: Dog\n", 0, 0 },
	{ "keywords beside $ref count in 3.1", ANSWER,
		"{\"$ref\":\"#/components/schemas/Dog\",\"minProperties\":1}",
		"{\"minProperties\":2,\"allOf\":[" REF("Dog") "]}",
		"additive " A " /minProperties 1 -> 2\n", 0, 0 },
	{ "and don't in 3.0", ANSWER, "{\"$ref\":\"#/components/schemas/Dog\",\"minProperties\":1}",
		REF("Dog"), "", "3.0.3", "3.0.3" },
	{ "a text beside $ref", ANSWER,
		"{\"$ref\":\"#/components/schemas/Dog\",\"description\":\"a\"}",
		"{\"$ref\":\"#/components/schemas/Dog\",\"description\":\"b\"}",
		"documentation " A " /description \"a\" -> \"b\"\n", 0, 0 },
	{ "a circle of $ref beside keywords", PATHS,
		"\"/x\":{\"get\":{\"responses\":{\"200\":{\"content\":{\"a/b\":{\"schema\":{\"minProperties\":1,"
		"\"properties\":{\"a\":{\"minProperties\":1,\"$ref\":\"#/paths/~1x/get/responses/200/content/"
		"a~1b/schema\"}}}}}}}}}",
		"\"/x\":{\"get\":{\"responses\":{\"200\":{\"content\":{\"a/b\":{\"schema\":{\"minProperties\":2,"
		"\"properties\":{\"a\":{\"minProperties\":1,\"$ref\":\"#/paths/~1x/get/responses/200/content/"
		"a~1b/schema\"}}}}}}}}}",
		"additive GET /x 200 a/b /minProperties 1 -> 2\n"
		"additive GET /x 200 a/b /properties/a/allOf/0/minProperties 1 -> 2\n",
		0, 0 },
	{ "a schema that is false", ANSWER, OBJECT("\"a\":false"),
		OBJECT("\"a\":{\"type\":\"string\"}"),
		"breaking " A " /properties/a nothing -> a schema\n", 0, 0 },
};

START_TEST(change)
{
	check_row(&rows[_i]);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("compare_schema");
	tcase_add_loop_test(tests, change, 0, (int)(sizeof rows / sizeof *rows));
	Suite *suite = suite_create("openapi/compare_schema");
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
