#include <string.h>

#include "base/visible.h"
#include "cli/proof.h"

enum { FAULT_COLUMNS = 26, ID_COLUMNS = 40 };

static void print_pair(const struct proof *proof, const struct pair *pair)
{
	static const char *const WORDS[] = { "caught", "MISSED", "skip" };
	(void)proof;
	printf("  %-7s ", WORDS[pair->state]);
	visible_column(stdout, pair->fault, FAULT_COLUMNS);
	putchar(' ');
	visible_column(stdout, pair->one->id, ID_COLUMNS);
	putchar(' ');
	visible_line(stdout, pair->pointer ? pair->pointer : pair->reason);
	putchar('\n');
	fflush(stdout);
}

struct totals_of_pairs {
	size_t caught, missed, skipped;
};

/* Claimed pairs only: that a case fails under somebody else's fault is no claim of its own. */
static struct totals_of_pairs count_pairs(const struct proof *proof)
{
	struct totals_of_pairs t = { 0 };
	for (size_t i = 0; i < proof->pair_count; i++) {
		if (!proof->pairs[i].catch)
			continue;
		t.caught += proof->pairs[i].state == PAIR_CAUGHT;
		t.missed += proof->pairs[i].state == PAIR_MISSED;
		t.skipped += proof->pairs[i].state == PAIR_SKIPPED;
	}
	return t;
}

static char mark_of(const struct proof *proof, const struct case_file *one, const char *fault)
{
	for (size_t i = 0; i < proof->pair_count; i++) {
		const struct pair *pair = &proof->pairs[i];
		if (pair->one != one || strcmp(pair->fault, fault) != 0)
			continue;
		if (pair->state == PAIR_CAUGHT)
			return pair->catch ? '#' : '+';
		if (pair->state == PAIR_SKIPPED)
			return 's';
		return pair->catch ? '!' : '.';
	}
	return ' ';
}

/* Faults down, cases across by number. */
static void print_matrix(const struct proof *proof)
{
	struct session *s = proof->session;
	puts("\n  # caught as claimed   + fails too   . green   ! missed   s skipped\n");
	for (size_t i = 0; i < s->case_count; i++) {
		printf("  %3zu  ", i + 1);
		visible_line(stdout, s->cases[i]->id);
		putchar('\n');
	}
	printf("\n%-28s", "");
	for (size_t i = 0; i < s->case_count; i++)
		printf("%4zu", i + 1);
	putchar('\n');
	for (size_t f = 0; f < proof->fault_count; f++) {
		fputs("  ", stdout);
		visible_column(stdout, proof->faults[f], FAULT_COLUMNS);
		for (size_t i = 0; i < s->case_count; i++)
			printf("%4c", mark_of(proof, s->cases[i], proof->faults[f]));
		putchar('\n');
	}
}

static void print_counts(const struct proof *proof)
{
	size_t cases = proof->session->case_count;
	printf("%zu fault%s · %zu case%s", proof->fault_count, proof->fault_count == 1 ? "" : "s",
		cases, cases == 1 ? "" : "s");
}

static void print_head(const struct proof *proof)
{
	printf("onus %s · prove · seed 0x%llx · ", ONUS_VERSION,
		(unsigned long long)proof->session->run.seed);
	print_counts(proof);
	putchar('\n');
}

static void print_end(const struct proof *proof)
{
	struct totals_of_pairs t = count_pairs(proof);
	for (size_t i = 0; i < proof->complaint_count; i++) {
		fputs("  ", stdout);
		visible_line(stdout, proof->complaints[i]);
		putchar('\n');
	}
	print_counts(proof);
	printf(" · %zu caught · %zu missed · %zu skipped\n", t.caught, t.missed, t.skipped);
}

static void print_json(const struct proof *proof)
{
	static const char *const WORDS[] = { "caught", "missed", "skipped" };
	cJSON *root = cJSON_CreateObject(), *pairs = cJSON_AddArrayToObject(root, "pairs");
	for (size_t i = 0; i < proof->pair_count; i++) {
		const struct pair *pair = &proof->pairs[i];
		cJSON *item = cJSON_CreateObject();
		cJSON_AddStringToObject(item, "fault", pair->fault);
		cJSON_AddStringToObject(item, "case", pair->one->id);
		cJSON_AddBoolToObject(item, "claimed", pair->catch != NULL);
		cJSON_AddStringToObject(item, "state", WORDS[pair->state]);
		if (pair->pointer)
			cJSON_AddStringToObject(item, "finding", pair->pointer);
		if (pair->reason)
			cJSON_AddStringToObject(item, "reason", pair->reason);
		cJSON_AddItemToArray(pairs, item);
	}
	cJSON *complaints = cJSON_AddArrayToObject(root, "complaints");
	for (size_t i = 0; i < proof->complaint_count; i++)
		cJSON_AddItemToArray(complaints, cJSON_CreateString(proof->complaints[i]));
	cJSON_AddNumberToObject(root, "faults", (double)proof->fault_count);
	cJSON_AddNumberToObject(root, "cases", (double)proof->session->case_count);
	cJSON_AddBoolToObject(root, "proven", proof_exit(proof) == EXIT_HELD);
	char *text = cJSON_Print(root);
	puts(text);
	cJSON_free(text);
	cJSON_Delete(root);
}

static int prove_all(struct session *s)
{
	const struct options *o = s->options;
	struct proof proof = { .session = s, .on_pair = o->json ? NULL : print_pair };
	int code = session_faults(s, &proof.faults, &proof.fault_count);
	if (code != EXIT_HELD)
		return code;
	if (!s->case_count || !proof.fault_count) {
		fprintf(stderr, "onus: prove: %s\n",
			s->case_count ? "the suite lists no faults" : session_no_case(s));
		return EXIT_FLOOR;
	}
	if (!o->json)
		print_head(&proof);
	proof_check(&proof);
	/* A misspelt fault would be missed after minutes, and for another reason than its own. */
	if (!proof.usage)
		proof_run(&proof, o->full);
	if (o->json) {
		print_json(&proof);
	} else {
		if (o->full && !proof.usage)
			print_matrix(&proof);
		print_end(&proof);
	}
	return proof_exit(&proof);
}

static int prove(const struct options *options)
{
	struct session session;
	int code = session_load(&session, options);
	if (code == EXIT_HELD)
		code = session_set_up(&session);
	if (code == EXIT_HELD)
		code = prove_all(&session);
	session_close(&session);
	return code;
}

const struct command cmd_prove = {
	.name = "prove",
	.operands = "[PATH…]",
	.help = "every fault caught, every case able to fail",
	.set = OPTIONS_PROVE,
	.run = prove,
	.manual =
		"Runs each case without faults, under each fault that it says it catches, and without again.\n"
		"Exit status: 0 proven; 1 a fault was missed, or a case cannot fail or is not green without;\n"
		"2 usage, or a case file is wrong; 3 environment; 4 there is no case, or the suite lists no faults;\n"
		"77 everything was skipped.",
};
