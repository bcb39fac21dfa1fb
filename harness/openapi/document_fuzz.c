/*
 * libFuzzer entry: bytes that are read as a document. What is taken must have operations with a target each, and compare
 * equal to itself; what is refused says why.
 */
#include "openapi/compare.h"
#include "openapi/operations.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void walk(const struct document *document)
{
	struct operations operations;
	operations_init(&operations, document, NULL);
	if (!operations.count)
		BUG("a document without operations");
	for (size_t i = 0; i < operations.count; i++)
		if (operations.list[i].target[0] != '/')
			BUG("the target %s", operations.list[i].target);
	operations_release(&operations);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = { 0 };
	struct document *one, *two;
	struct changes changes;
	enum rc rc = document_read(slice_from(data, size), "fuzz", &one, &err);
	if ((rc == RC_OK) != (one != NULL) || (rc == RC_OK) != !err.text[0])
		BUG("a fault without a word, or a word without a fault");
	if (rc != RC_OK)
		return 0;
	walk(one);
	if (document_read(slice_from(data, size), "fuzz", &two, &err) != RC_OK)
		BUG("refused the second time: %s", err.text);
	compare_documents(one, two, &changes);
	if (changes.count)
		BUG("differs from itself: %s %s", changes.list[0].where, changes.list[0].what);
	changes_release(&changes);
	document_free(one);
	document_free(two);
	return 0;
}
