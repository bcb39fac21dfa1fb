#include "cli/cost_source.h"

#include <string.h>

#include "base/slice.h"
#include "sut/container.h"

enum rc cost_source_read(
	const struct options *options, struct sample_source *source, struct err *err)
{
	uint64_t pid = 0;
	*source = (struct sample_source){ .container = options->container };
	if (options->pid && options->container)
		return err_set(
			err, RC_USAGE, "--container", "expected one of --pid and --container");
	if (options->container && strlen(options->container) < CONTAINER_ID_LEAST)
		return err_set(err, RC_USAGE, "--container",
			"expected an id of at least %d characters, found \"%s\"",
			CONTAINER_ID_LEAST, options->container);
	if (!options->pid)
		return RC_OK;
	if (!slice_number(slice_of(options->pid), INT32_MAX, &pid) || !pid)
		return err_set(err, RC_USAGE, "--pid", "expected a process id, found \"%s\"",
			options->pid);
	source->pid = (int)pid;
	return RC_OK;
}

enum rc cost_source_check(const struct sample_source *source, struct err *err)
{
	struct sample *sample;
	enum rc rc = sample_start(source, SAMPLE_EVERY_NS, &sample, err);
	sample_free(sample);
	return rc;
}
