#include "case/case_testing.h"

#define SUITE                                                                                        \
	"{ \"sut\": { \"command\": [\"x\"], \"root\": \"web\" },\n"                                  \
	"  \"roots\": { \"web\": \"/usr\" }, \"profiles\": { \"front\": { \"command\": [\"f\"] },\n" \
	"  \"templated\": { \"command\": [\"f\"], \"files\": { \"x\": \"/no/such\" } } },\n"         \
	"  \"variables\": { \"shared\": 1, \"user_list\": [1, 2] } }"
/* Starts a case of which `rest` is line 2. */
#define T "{ \"title\": \"t\",\n"

static const struct {
	const char *text, *errors, *why;
} cases[] = {
	/* The file. */
	{ "", "1:1: expected an object, a list, a string in double quotes, a number, true, false or null, found the end of the text",
		"empty" },
	{ "[]", "1:1: expected a case, found an empty list", "not an object" },
	{ "\"${x}\"", "1:1: expected a case, found \"${x}\"", "no variable stands for a case" },
	{ T " \"title\": \"u\", \"steps\": [\"/\"] }",
		"2:2: /title: expected each key once, found \"title\" again (also at line 1, column 3)",
		"a key twice" },
	{ "{}",
		"1:1: expected the key \"title\", found no keys\n"
		"1:1: expected the key \"steps\", found no keys",
		"both at once" },
	{ T " \"stepps\": [\"/\"] }",
		"1:1: expected the key \"steps\", found keys \"title\", \"stepps\"\n"
		"2:2: /stepps: unknown key \"stepps\"; did you mean \"steps\"?",
		"unknown key" },
	{ T " \"steps\": [] }",
		"2:11: /steps: expected a list of steps with at least 1 item, found 0",
		"no steps" },
	{ T " \"steps\": \"${all}\" }", "2:11: /steps: expected a list of steps, found \"${all}\"",
		"no variable stands for steps" },
	/* Steps. */
	{ T " \"steps\": [{ \"gett\": \"/\" }] }",
		"2:12: /steps/0: expected one verb (get, head, post, put, patch, delete, options, request, group, parallel, barrier, stream, ...), found keys \"gett\"; did you mean \"get\"?",
		"an unknown verb" },
	{ T " \"steps\": [{ \"probe\": \"/\", \"while\": [\"/\"] },\n"
	    " { \"probe\": \"/\", \"evry\": \"5ms\", \"while\": [], \"expect\": { \"probe.p9\": \"< 1s\" } }] }",
		"2:12: /steps/0: expected `expect`: nothing is claimed of the probe\n"
		"3:18: /steps/1/evry: unknown key \"evry\"; did you mean \"every\"?\n"
		"3:42: /steps/1/while: expected a list of steps with at least 1 item, found 0\n"
		"3:58: /steps/1/expect/probe.p9: unknown key \"probe.p9\"; did you mean \"probe.p90\"?",
		"a probe" },
	{ T " \"steps\": [{ \"openapi\": \"/\" },\n"
	    " { \"openapi\": \"/\", \"sweep\": { \"times\": 0, \"exept\": [] } },\n"
	    " { \"openapi\": \"/\", \"expect\": { \"routes.guarded\": \">= 1\" } },\n"
	    " { \"openapi\": \"/\", \"expect\": [{ \"routes.total\": 1 }, { \"routes.swept\": 1 }] },\n"
	    " { \"openapi\": \"/\", \"guard\": { \"control\": \"alice\" } }] }",
		"2:12: /steps/0: expected guard, sweep or expect: nothing is claimed of the document\n"
		"3:40: /steps/1/sweep/times: expected a count of at least 1, found 0\n"
		"3:43: /steps/1/sweep/exept: unknown key \"exept\"; did you mean \"except\"?\n"
		"4:30: /steps/2/expect: expected `guard` in the step: nothing is guarded without\n"
		"5:30: /steps/3/expect: expected `sweep` in the step: nothing is swept without\n"
		"6:42: /steps/4/guard/control: unknown user \"alice\"",
		"an openapi" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"gap.max\": \"< 1s\" } },\n"
	    " { \"get\": \"/\", \"expect\": [{ \"status\": 200 }, { \"any_of\": [{ \"gap.max\": \"< 1s\" }] }] },\n"
	    " { \"stream\": { \"get\": \"/\", \"expect\": { \"gap.max\": \"< 1s\" } },\n"
	    "  \"steps\": [{ \"await\": {} }], \"expect\": { \"gap.max\": \"< 1s\" } }] }",
		"2:36: /steps/0/expect: gap.max is told of `stream` alone\n"
		"3:26: /steps/1/expect: gap.max is told of `stream` alone",
		"a silence is measured of a stream" },
	{ T " \"requires\": [{ \"command\": \"x\", \"sut\": \"owned\" }], \"steps\": [\"/\"] }",
		"2:15: /requires/0: expected one requirement, found \"command\" and \"sut\"",
		"two requirements" },
	{ T " \"steps\": [{ \"get\": \"/\", \"put\": \"/\" }] }",
		"2:12: /steps/0: expected one verb, found \"get\" and \"put\"", "two verbs" },
	{ T " \"steps\": [{ \"get\": \"/\", \"repeat\": 0 }] }",
		"2:36: /steps/0/repeat: expected at least 1: a step that never runs proves nothing",
		"repeat 0" },
	{ T " \"steps\": [{ \"pause\": \"1s\" }] }",
		"2:12: /steps/0: expected the key \"why\", found keys \"pause\"", "why" },
	{ T " \"steps\": [{ \"get\": \"/\", \"within\": \"10\" }] }",
		"2:36: /steps/0/within: expected a duration such as \"150ms\", found \"10\"",
		"a duration" },
	{ T " \"steps\": [{ \"post\": \"/\", \"body\": \"x\", \"hex\": \"00\" }] }",
		"2:12: /steps/0: expected one of body, json, file and hex, found several",
		"two bodies" },
	{ T " \"steps\": [{ \"post\": \"/\", \"hex\": \"0g\" }] }",
		"2:34: /steps/0/hex: expected pairs of hexadecimal digits, found \"g\"", "hex" },
	{ T " \"steps\": [{ \"post\": \"/\", \"hex\": \"0\" }] }",
		"2:34: /steps/0/hex: expected pairs of hexadecimal digits, found 1 digits", "odd" },
	{ T " \"steps\": [{ \"post\": \"/\", \"file\": \"none.bin\" }] }", "*",
		"a body file that is not there" },
	{ T " \"steps\": [{ \"get\": \"/a b\" }] }",
		"2:12: /steps/0: the target has white space or a control character at byte 2; `raw` "
		"sends such bytes",
		"a target" },
	{ T " \"steps\": [{ \"get\": \"/\", \"name\": \"p\", \"matrix\": { \"a\": [1] } }] }",
		"2:34: /steps/0/name: a step with a matrix has many answers and can't be named; put it into a group that has the matrix",
		"a name of many" },
	{ T " \"steps\": [{ \"get\": \"/\", \"capture\": { \"p\": { \"body\": true } }, \"matrix\": { "
	    "\"a\": [1] } }] }",
		"2:37: /steps/0/capture: a step with a matrix has many answers, and a capture takes one; put it into a group that has the matrix",
		"a capture of many" },
	{ T " \"steps\": [{ \"get\": \"/\", \"capture\": { \"a\": {}, \"b\": { \"body\": false },\n"
	    " \"c\": { \"json\": \"/x\", \"matches\": \"y\", \"where\": {} },\n"
	    " \"d\": { \"header\": \"X\", \"where\": {}, \"at\": \"/z\" } } }] }",
		"2:44: /steps/0/capture/a: expected exactly one of json, header and body\n"
		"2:63: /steps/0/capture/b/body: expected true, or another source\n"
		"3:34: /steps/0/capture/c/matches: matches goes with header or body, not with json\n"
		"3:48: /steps/0/capture/c/where: where and at go together\n"
		"4:33: /steps/0/capture/d/where: where goes with json",
		"captures" },
	{ T " \"steps\": [{ \"raw\": [\"GET\", {}, { \"text\": \"a\", \"hex\": \"00\" }, { \"close\": "
	    "false }] }] }",
		"2:29: /steps/0/raw/1: expected exactly one of pause, text, hex, close and reset\n"
		"2:33: /steps/0/raw/2: expected exactly one of pause, text, hex, close and reset\n"
		"2:74: /steps/0/raw/3/close: expected true",
		"raw" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": \"${e}\" }] }",
		"2:36: /steps/0/expect: expected expectations on an answer, or a list of groups of them, found \"${e}\"\n"
		"2:37: /steps/0/expect: unknown variable \"e\"",
		"no variable stands for expectations" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"stauts\": 200 } }] }",
		"2:38: /steps/0/expect/stauts: unknown key \"stauts\"; did you mean \"status\"?",
		"an unknown expectation" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"bytes.wire\": \"< 50% of ${time.total}\" } }] }",
		"2:36: /steps/0/expect: expected a size with its unit, such as \"< 1000B\", found \"< 50% of 1000000s\" (at /bytes.wire)",
		"a comparison that can never be judged" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"bytes.wire\": \"< ${bytes.wird}\" } }] }",
		"2:36: /steps/0/expect: \"bytes\" has no \"wird\"; did you mean \"wire\"?",
		"a quantity that is none" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"bytes.wire\": \"100B..${bytes.decoded}\" } },\n"
	    " { \"get\": \"/\", \"expect\": { \"bytes.wire\": \"${bytes.decoded}..1MB\" } },\n"
	    " { \"get\": \"/\", \"expect\": { \"time.total\": \"<= 5x ${time.first_byte}\" } }] }",
		"", "comparisons with what the answer brings" },
	{ T " \"steps\": [{ \"get\": \"/\", \"within\": \"0s\", \"retry\": \"0 ms\" }] }",
		"2:36: /steps/0/within: expected a duration longer than nothing, found \"0s\"\n"
		"2:51: /steps/0/retry: expected a duration longer than nothing, found \"0 ms\"",
		"nothing happens within no time" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"status\": 1000 } },\n"
	    " { \"get\": \"/\", \"expect\": { \"status\": [100, 999, 99, 1000] } }] }",
		"2:48: /steps/0/expect/status: expected a status such as 200, of three digits, found 1000\n"
		"3:49: /steps/1/expect/status/2: expected a status such as 200, of three digits, found 99\n"
		"3:53: /steps/1/expect/status/3: expected a status such as 200, of three digits, found 1000",
		"statuses that no answer has" },
	/* SUTs. */
	{ T " \"sut\": { \"root\": \"wb\", \"profile\": \"frnt\" }, \"steps\": [\"/\"] }",
		"2:19: /sut/root: unknown root \"wb\"; did you mean \"web\"?\n"
		"2:36: /sut/profile: unknown profile \"frnt\"; did you mean \"front\"?",
		"names of the suite" },
	{ T " \"sut\": { \"root\": \"/no/such\" }, \"steps\": [\"/\"] }",
		"2:19: /sut/root: root \"/no/such\": No such file or directory", "a missing root" },
	{ T " \"sut\": { \"env\": { \"A\": \"${nn}\" } }, \"steps\": [\"/\"] }",
		"2:26: /sut/env/A: unknown variable \"nn\"", "a variable of the SUT's settings" },
	{ T " \"sut\": { \"env\": \"${all}\" }, \"steps\": [\"/\"] }",
		"2:18: /sut/env: expected an object of environment variables, found \"${all}\"\n"
		"2:19: /sut/env: unknown variable \"all\"",
		"no variable stands for settings" },
	{ T " \"suts\": { \"one\": {}, \"two\": {} }, \"steps\": [\"/\", { \"get\": \"/\", \"to\": "
	    "\"tow\" }] }",
		"2:46: /steps/0: expected `to`: the case has several suts\n"
		"2:71: /steps/1/to: unknown SUT \"tow\"; did you mean \"two\"?",
		"to" },
	{ T " \"to\": \"x\", \"steps\": [\"/\"] }", "2:8: /to: unknown SUT \"x\"", "no suts" },
	{ T " \"sut\": { \"to\": \"a\" }, \"suts\": { \"a\": {} }, \"to\": \"a\", \"steps\": [\"/\"] }",
		"2:17: /sut/to: `to` belongs to one of `suts`: a SUT alone stands before no other",
		"before whom?" },
	{ T " \"suts\": { \"a\": { \"to\": \"b\" }, \"b\": { \"to\": \"a\" } }, \"to\": \"a\", \"steps\": "
	    "[\"/\"] }",
		"2:25: /suts/a/to: these suts stand before one another in a circle\n"
		"2:45: /suts/b/to: these suts stand before one another in a circle",
		"a circle" },
	{ T " \"sut\": { \"files\": { \"a\": \"/dev/null\", \"b\": \"/etc/passwd\",\n"
	    " \"../c\": \"/etc/passwd\", \"d\": \"/no/such\" } }, \"steps\": [\"/\"] }",
		"2:27: /sut/files/a: files: /dev/null is not a file\n"
		"3:10: /sut/files/..~1c: files: expected a file name without a slash, found \"../c\"\n"
		"3:30: /sut/files/d: files: /no/such: No such file or directory",
		"templates" },
	{ T " \"sut\": { \"profile\": \"templated\" }, \"steps\": [\"/\"] }",
		"2:9: /sut: files: /no/such: No such file or directory", "a profile's template" },
	{ T " \"sut\": { \"profile\": \"templated\", \"files\": { \"x\": \"/etc/passwd\" } },"
	    " \"steps\": [\"/\"] }",
		"", "a template in its place" },
	/* What must fail. */
	{ T " \"must_fail\": [\"/steps/1\", \"steps/0\"], \"steps\": [\"/\"] }",
		"2:28: /must_fail/1: expected a JSON pointer such as \"/list/0/name\", found \"steps/0\"",
		"no pointer" },
	{ T " \"must_fail\": [\"/steps/1\", \"/x\"], \"steps\": [\"/\"] }",
		"2:15: /must_fail: expected the pointer of a finding, \"/sut\" or one that starts "
		"with a step of the case such as \"/steps/0\", found \"/steps/1\"\n"
		"2:15: /must_fail: expected the pointer of a finding, \"/sut\" or one that starts "
		"with a step of the case such as \"/steps/0\", found \"/x\"",
		"pointers that lead nowhere" },
	{ T " \"catches\": { \"f\": \"/steps/9/expect\", \"g\": [\"/sut\"] }, \"steps\": [\"/\"] }",
		"2:15: /catches/f: expected the pointer of a finding, \"/sut\" or one that starts "
		"with a step of the case such as \"/steps/0\", found \"/steps/9/expect\"\n"
		"2:39: /catches/g: a SUT that crashes never counts as caught",
		"pointers of faults" },
	{ T " \"catches\": [], \"steps\": [\"/\"] }",
		"2:13: /catches: a case that catches nothing says so in `why`", "catches nothing" },
	{ T " \"catches\": [\"f\"], \"must_fail\": [\"/sut\"], \"steps\": [\"/\"] }",
		"2:33: /must_fail: must_fail and catches exclude each other", "both" },
	/* Requirements and floors. */
	{ T " \"requires\": [{ \"command\": \"x\", \"version\": \"=> 2\" }], \"steps\": [\"/\"] }",
		"2:44: /requires/0/version: expected a version such as \">= 2.4\", found \"=> 2\"",
		"no comparison" },
	{ T " \"requires\": [{ \"command\": \"x\", \"version\": \">= 2..4\" }], \"steps\": [\"/\"] }",
		"2:44: /requires/0/version: expected a version such as \">= 2.4\", found \">= 2..4\"",
		"no version" },
	{ T " \"requires\": [{ \"comand\": \"x\" }], \"steps\": [\"/\"] }",
		"2:15: /requires/0: expected one requirement (command, sut, feature), found keys \"comand\"; did you mean \"command\"?",
		"no requirement" },
	{ T " \"floor\": { \"cells\": \"${n}\" }, \"variables\": { \"n\": 1 }, \"steps\": [\"/\"] }",
		"2:22: /floor/cells: expected a count such as 3, found \"${n}\"",
		"a floor that would never bite" },
	/* Variables. */
	{ T " \"steps\": [\"/${sharde}\"] }",
		"2:14: /steps/0: unknown variable \"sharde\"; did you mean \"shared\"?",
		"unknown" },
	{ T " \"steps\": [\"/\\u0041${x}${y}\"] }",
		"2:20: /steps/0: unknown variable \"x\"\n2:24: /steps/0: unknown variable \"y\"",
		"each at its `${`" },
	{ T " \"steps\": [{ \"get\": \"/\", \"headers\": { \"${hh}\": \"1\" } }] }",
		"2:39: /steps/0/headers/${hh}: unknown variable \"hh\"", "in a key" },
	{ T " \"steps\": [\"/${\"] }", "2:14: /steps/0: expected } to close ${", "not closed" },
	{ T " \"steps\": [\"/${a b}\"] }",
		"2:14: /steps/0: expected a name such as ${file.name}, found ${a b}", "no name" },
	{ T " \"variables\": { \"sut\": 1, \"shared\": 2, \"a b\": 3 }, \"steps\": [\"/\"] }",
		"2:17: /variables/sut: \"sut\" is a name of onus's own\n"
		"2:27: /variables/shared: \"shared\" is already a variable here; names are never "
		"shadowed\n"
		"2:40: /variables/a b: expected a name of letters, digits, _ and -, found \"a b\"",
		"names" },
	{ T " \"variables\": { \"a\": \"${b}\", \"b\": \"${a}\" }, \"steps\": [\"/${a}\"] }",
		"2:22: /variables/a: \"b\" leads back to itself\n"
		"2:35: /variables/b: \"a\" leads back to itself\n"
		"2:55: /steps/0: \"a\" leads back to itself",
		"a circle" },
	{ T " \"variables\": { \"f\": { \"a\": 1 } }, \"steps\": [\"/${f.b}\"] }",
		"2:46: /steps/0: \"f\" has no \"b\"; did you mean \"a\"?", "a path" },
	{ T " \"steps\": [{ \"get\": \"/${page.status}\" }, { \"get\": \"/\", \"name\": \"page\" }] }",
		"2:23: /steps/0/get: unknown variable \"page\"",
		"a name is known behind its step" },
	{ T " \"steps\": [{ \"exec\": [\"x\"], \"name\": \"done\" }, \"/${done}\"] }",
		"2:49: /steps/1: unknown variable \"done\"",
		"only an answer has a name to look at" },
	{ T " \"steps\": [{ \"group\": [{ \"get\": \"/\", \"name\": \"page\" }] }, \"/${page.status}\"] "
	    "}",
		"2:61: /steps/1: unknown variable \"page\"", "a name ends with its group" },
	{ T " \"steps\": [{ \"get\": \"/\", \"name\": \"page\" }, { \"get\": \"/\", \"name\": \"page\" }] "
	    "}",
		"2:66: /steps/1/name: \"page\" is already a variable here; names are never shadowed",
		"a name twice" },
	{ T " \"steps\": [{ \"get\": \"/\", \"name\": \"page\" }, { \"get\": \"/\", \"expect\": { "
	    "\"body\": { \"same_as\": \"pag\" } } }] }",
		"2:91: /steps/1/expect/body/same_as: unknown step \"pag\"; did you mean \"page\"?",
		"same_as of no step" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"body\": { \"same_as\": \"shared\" } } }] }",
		"2:59: /steps/0/expect/body/same_as: unknown step \"shared\"",
		"same_as of a variable" },
	{ T " \"sut\": { \"root\": \"/usr\" }, \"steps\": [{ \"get\": \"/\", \"expect\": { \"body\": { "
	    "\"same_as\": \"root:no/such\" } } }] }",
		"2:86: /steps/0/expect/body/same_as: \"root:no/such\" stands for /usr/no/such: No such file or directory",
		"a fixture that is not there" },
	{ T " \"steps\": [{ \"get\": \"/\", \"within\": \"${shared}\" }] }",
		"2:36: /steps/0/within: within: expected a duration such as \"150ms\", found 1",
		"the form of what a variable brings" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"status\": \"${user_list.1}xx\" }, "
	    "\"headers\": { \"A\": \"${user_list}\" } }] }",
		"2:81: /steps/0/headers: headers: expected a text, found 1 (at /A/0)",
		"of headers" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"coding\": \"${shared}\" } }] }",
		"2:36: /steps/0/expect: expected \"none\" or a content coding, found 1 (at /coding)",
		"of expectations" },
	/* Matrices. */
	{ T " \"matrix\": { \"a\": [] }, \"steps\": [\"/\"] }",
		"2:19: /matrix/a: expected a list of values with at least 1 item, found 0",
		"empty" },
	{ T " \"matrix\": \"${all}\", \"steps\": [\"/\"] }",
		"2:12: /matrix: expected an object of lists, or a list of rows, found \"${all}\"",
		"no variable stands for a matrix" },
	{ T " \"matrix\": [{ \"a\": 1, \"b\": 2 }, { \"a\": 1 }, { \"a\": 1, \"b\": 2, \"c\": 3 }], "
	    "\"steps\": [\"/\"] }",
		"2:33: /matrix/1: expected \"b\", as in the first row of the matrix\n"
		"2:63: /matrix/2/c: \"c\" is not in the first row of the matrix",
		"rows that differ" },
	{ T " \"steps\": [{ \"get\": \"/\", \"matrix\": { \"a\": \"${shared}\" } }] }",
		"2:36: /steps/0/matrix: expected \"${shared}\" to be a list of the values of \"a\"",
		"no list" },
	{ T " \"variables\": { \"n\": { \"generate\": \"range\", \"from\": 1, \"to\": 1000 } },\n"
	    " \"steps\": [{ \"get\": \"/\", \"matrix\": { \"a\": \"${n}\", \"b\": \"${n}\" } }] }",
		"3:36: /steps/0/matrix: a matrix of more than 100000 cells", "too many" },
	{ T " \"variables\": { \"n\": { \"generate\": \"rnge\", \"from\": 1 },\n"
	    "  \"u\": { \"generate\": \"uuid\", \"cuont\": 2 } },\n"
	    " \"matrix\": { \"m\": { \"from\": 1 } },\n"
	    " \"steps\": [{ \"get\": \"/\", \"variables\": { \"t\": { \"generate\": \"text\", \"length\": "
	    "\"x\" } } }] }",
		"2:36: /variables/n/generate: expected a kind of generator, found \"rnge\"; did you "
		"mean \"range\"?\n"
		"3:30: /variables/u/cuont: unknown key \"cuont\"; did you mean \"count\"?\n"
		"4:19: /matrix/m: expected a list of values or a generator such as {\"generate\": "
		"\"range\", \"from\": 1, \"to\": 9}, found an object without \"generate\"\n"
		"5:78: /steps/0/variables/t/length: expected a number with its unit such as \"20ms\" or \"64KiB\", found \"x\"",
		"generators of the wrong form, used or not" },
	{ T " \"variables\": { \"ids\": { \"generate\": \"pick\", \"from\": [1, 2], \"count\": 3,\n"
	    "  \"distinct\": 3 } }, \"steps\": [{ \"post\": \"/\", \"json\": \"${ids}\" }] }",
		"3:55: /steps/0/json: \"ids\": can't pick 3 values, 3 of them distinct, from 2",
		"a generator that can't be run is told where it is used" },
	{ T " \"variables\": { \"n\": { \"generate\": \"range\", \"from\": 1, \"to\": 1000 } },\n"
	    " \"steps\": [{ \"matrix\": { \"a\": \"${n}\" }, \"group\": [\n"
	    "  { \"matrix\": { \"b\": \"${n}\" }, \"get\": \"/\" }] }] }",
		"4:3: /steps/0/group/0: the matrices of the case make more than 200000 steps",
		"too many together" },
	{ T " \"steps\": [{ \"get\": \"/${a.x}\", \"matrix\": { \"a\": [{ \"y\": 1 }, { \"y\": 2 }] } }] "
	    "}",
		"2:21: /steps/0/get: \"a\" has no \"x\"; did you mean \"y\"? (cell a=#1)",
		"once, with the first cell" },
	/* Floors that lint can tell: exit 4. */
	{ T " \"steps\": [{ \"get\": \"/\", \"matrix\": { \"a\": [1, 2] },\n"
	    " \"expect\": [{ \"status\": 200 }, { \"when\": { \"a\": 1 }, \"length\": \"exact\" }] }] }",
		"4! 3:12: /steps/0/expect: no `when` matches this cell, so that nothing is expected "
		"of it (cell a=2)",
		"a cell without a `when`" },
	{ T " \"steps\": [{ \"get\": \"/\", \"matrix\": { \"a\": [1, 2] },\n"
	    " \"expect\": [{ \"when\": { \"a\": 3 }, \"status\": 200 }, { \"when\": \"otherwise\" }] }] }",
		"4! 3:23: /steps/0/expect/0/when: this `when` matches no cell, so that its expectations are never judged",
		"a `when` without a cell" },
	{ T " \"steps\": [{ \"get\": \"/\", \"matrix\": { \"a\": [1] },\n"
	    " \"expect\": [{ \"when\": { \"a\": 1 } }, { \"when\": \"otherwise\", \"status\": 200 }] }] }",
		"4! 3:47: /steps/0/expect/1/when: this `when` matches no cell, so that its expectations are never judged",
		"an `otherwise` without a cell" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": [{ \"when\": { \"b\": 1 } }] }] }",
		"2:49: /steps/0/expect/0/when/b: unknown variable \"b\"", "a name of a `when`" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"when\": { \"b\": 1 } } }] }",
		"2:48: /steps/0/expect/when/b: unknown variable \"b\"", "of one that is no list" },
	/* All at once, although the form is wrong, too. */
	{ T " \"steps\": [{ \"get\": \"/${a}\", \"witin\": \"1s\" }, { \"post\": 5 }, 7,\n"
	    "  { \"group\": [\"/${b}\"], \"to\": \"x\" }], \"matrix\": 5, \"sut\": { \"root\": \"wb\" } }",
		"2:23: /steps/0/get: unknown variable \"a\"\n"
		"2:30: /steps/0/witin: unknown key \"witin\"; did you mean \"within\"?\n"
		"2:57: /steps/1/post: expected a target such as \"/index.html\", found 5\n"
		"2:62: /steps/2: expected a step, or a target to GET, found 7\n"
		"3:17: /steps/3/group/0: unknown variable \"b\"\n"
		"3:31: /steps/3/to: unknown SUT \"x\"\n"
		"3:49: /matrix: expected an object of lists, or a list of rows, found 5\n"
		"3:69: /sut/root: unknown root \"wb\"; did you mean \"web\"?",
		"everything" },
	/* Well formed. */
	{ T " \"steps\": [\"/\"] }", "", "the least" },
	{ T " // a comment\n \"steps\": [\"/\",], }", "", "comments and trailing commas" },
	{ T " \"matrix\": { \"a\": \"${user_list}\" }, \"steps\": [\"/${a}\"] }", "",
		"a matrix over the suite's list" },
	{ T " \"steps\": [{ \"get\": \"/\", \"name\": \"p\" }, { \"get\": \"/${p.headers.X}\",\n"
	    " \"expect\": [{ \"when\": { \"p.status\": 200 } }, { \"when\": \"otherwise\", \"body\": {\n"
	    " \"same_as\": \"p\" }, \"bytes.wire\": \"< 5x ${bytes.decoded}\" }] }] }",
		"", "what only a run can tell" },
	{ T " \"steps\": [{ \"get\": \"/\", \"capture\": { \"ids\": { \"json\": \"/ids\" } } },\n"
	    " { \"get\": \"/${id}\", \"matrix\": { \"id\": \"${ids}\" } }] }",
		"", "a matrix over what is captured" },
	{ T " \"suts\": { \"a\": {}, \"b\": { \"to\": \"a\" } }, \"to\": \"b\", \"steps\": [\"/\",\n"
	    " { \"pause\": \"1ms\", \"why\": \"w\" }, { \"group\": [{ \"get\": \"/\", \"to\": \"a\" }] }] }",
		"", "several suts" },
	{ T " \"steps\": [{ \"exec\": [\"${env.ONUS_TEST_CHECK}\", \"${unique}\", \"${seed}\"] }] }",
		"", "what onus brings" },
	{ T " \"steps\": [{ \"get\": \"/\", \"expect\": { \"json\": { \"/a\": { \"equals\": { \"same_as\": "
	    "\"x\" } } } } }] }",
		"", "a member that is called like an operator" },
};

START_TEST(checked)
{
	struct world w;
	struct errors errors = { 0 };
	world_open(&w, false);
	setenv("ONUS_TEST_CHECK", "true", 1);
	enum rc rc = world_load(&w, SUITE, cases[_i].text, &errors);
	const char *text = world_told(&w, &errors);
	if (strcmp(cases[_i].errors, "*") == 0)
		ck_assert_msg(errors.count == 1, "%s: %s", cases[_i].why, text);
	else
		ck_assert_msg(strcmp(text, cases[_i].errors) == 0, "%s:\n%s\nexpected\n%s",
			cases[_i].why, text, cases[_i].errors);
	bool usable = !errors.count || errors.list[0].rc == RC_LIMIT;
	ck_assert_msg((rc == RC_OK) == usable, "%s", cases[_i].why);
	ck_assert_msg((w.one != NULL) == usable, "%s", cases[_i].why);
	errors_release(&errors);
	world_close(&w);
}
END_TEST

static const struct {
	const char *text, *errors, *why;
} suites[] = {
	{ "{}", "", "no SUT: --target names one" },
	{ "{ \"sut\": { \"command\": [] } }",
		"1:23: /sut/command: expected a command such as [\"nginx\", \"-c\", "
		"\"${files}/nginx.conf\"] with at least 1 item, found 0",
		"no command" },
	{ "{ \"sut\": { \"command\": [\"x\"], \"ready\": { \"get\": \"/\", \"notify\": true } } }",
		"1:39: /sut/ready: expected one of get, output and notify, found several",
		"two ways to be ready" },
	{ "{ \"sut\": { \"command\": [\"x\"], \"root\": \"w\", \"stop\": { \"signal\": \"TRM\" } } }",
		"1:38: /sut/root: unknown root \"w\"\n"
		"1:63: /sut/stop/signal: expected a signal such as \"TERM\", found \"TRM\"; did you mean \"TERM\"?",
		"form and names at once" },
	{ "{ \"sut\": { \"command\": [\"${x}\"] }, \"services\": [{ \"name\": \"a\", \"command\": [\"a\"] "
	  "},\n { \"name\": \"a\", \"command\": [\"a\"] }, { \"name\": \"a/b\", \"command\": [\"a\"] }] }",
		"1:25: /sut/command/0: unknown variable \"x\"\n"
		"2:12: /services/1/name: two services have the name \"a\"\n"
		"2:47: /services/2/name: expected a name without a dot or a slash, found \"a/b\"",
		"services" },
	{ "{ \"sut\": { \"command\": [\"x\"] }, \"faults\": { \"list\": [\"${x}\"] } }",
		"1:42: /faults: expected the key \"env\", found keys \"list\"\n"
		"1:54: /faults/list/0: unknown variable \"x\"",
		"faults" },
	{ "{ \"sut\": { \"command\": [\"${root}\", \"${services.db.port}\"] } }", "",
		"what onus brings" },
};

START_TEST(suite_checked)
{
	struct world w;
	struct errors errors = { 0 };
	world_open(&w, false);
	enum rc rc = world_load(&w, suites[_i].text, T " \"steps\": [\"/\"] }", &errors);
	const char *text = world_told(&w, &errors);
	ck_assert_msg(strcmp(text, suites[_i].errors) == 0, "%s:\n%s\nexpected\n%s", suites[_i].why,
		text, suites[_i].errors);
	ck_assert((rc == RC_OK) == !errors.count);
	errors_release(&errors);
	world_close(&w);
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("check");
	tcase_add_loop_test(tests, checked, 0, COUNT(cases));
	tcase_add_loop_test(tests, suite_checked, 0, COUNT(suites));
	tcase_set_timeout(tests, 120);
	Suite *suite = suite_create("case/check");
	suite_add_tcase(suite, tests);
	return run_tests(suite);
}
