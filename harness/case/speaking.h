/*
 * speaking: which HTTP a SUT is spoken to by, and what a case asks that only HTTP/1.1 has.
 */
#ifndef CASE_SPEAKING_H
#define CASE_SPEAKING_H

#include "base/errors.h"
#include "model/case.h"

/* Why a step can't be judged over HTTP/2, or NULL. The steps inside it are not looked at. */
const char *speaking_http1_only(const struct step *step);

/* `protocol`, `tls` and `ready` of merged settings contradict each other: why, or NULL. */
const char *speaking_contradiction(const cJSON *settings);

#endif
