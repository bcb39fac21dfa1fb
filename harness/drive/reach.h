/*
 * reach: how a SUT that a case starts is spoken to: `listen`, `protocol`, `tls` and `proxy_protocol` of its settings.
 */
#ifndef DRIVE_REACH_H
#define DRIVE_REACH_H

#include "case/frames.h"
#include "drive/case_run.h"

/* Host and scheme of ${sut.url}, before anything is resolved. */
void reach_frame(const cJSON *settings, struct frames_sut *frame);

/*
 * spec: where it listens; its readiness is checked and told of PROXY lines. *address is of cell_arena; its files need not
 * be there before the SUT is ready. RC_USAGE.
 */
enum rc reach_read(struct case_run *c, struct scope *frame, const cJSON *settings,
	struct process_spec *spec, struct client_options *address, struct err *err) MUST_USE;

#endif
