/*
 * format: the case format and the suite format as shapes: what check, messages and `onus schema` are made from.
 *
 * To add a key: a row in format_case.c or format_suite.c. To add a verb: see steps.h.
 *
 * Literal are the shapes of what is taken apart before any variable is known: a variable could not stand for them.
 */
#ifndef CASE_FORMAT_H
#define CASE_FORMAT_H

#include "base/shape.h"

/* The rows of an object, ended as struct shape wants it. */
#define KEYS(...)                                                                                  \
	(const struct shape_key[])                                                                 \
	{                                                                                          \
		__VA_ARGS__,                                                                       \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

extern const struct shape case_shape;
extern const struct shape suite_shape;

/* Common to several tables. */
extern const struct shape format_text;    /* any string */
extern const struct shape format_literal; /* a string in which `${` is not taken */
extern const struct shape format_any;     /* any JSON */
extern const struct shape format_bool;
extern const struct shape format_count;
extern const struct shape format_some;     /* a count of at least 1 */
extern const struct shape format_duration; /* "150ms" */
extern const struct shape format_wait;  /* the same, but not "0s": nothing happens within no time */
extern const struct shape format_texts; /* a list of strings */
extern const struct shape format_command;   /* the same, not empty */
extern const struct shape format_headers;   /* name to text, number, null or a list of texts */
extern const struct shape format_variables; /* name to any JSON */
extern const struct shape format_matrix;
extern const struct shape
	format_env; /* name to text, number, bool, null, or JSON handed over as text */
extern const struct shape format_files;    /* name in the run directory to path of a template */
extern const struct shape format_size;     /* "96MiB" */
extern const struct shape format_sut;      /* a case's `sut` */
extern const struct shape format_settings; /* what `refuses` and `control` set */

/* How a server is spoken to: of a process in the suite and of a case's SUT. */
extern const struct shape format_protocol, format_tls, format_true_or_false;
#define SPEAKING_KEYS                                                                              \
	{ "protocol", &format_protocol,                                                            \
		"http/1.1 (default); h2: HTTP/2 over TLS; h2c: HTTP/2 by prior knowledge",         \
		false },                                                                           \
		{ "tls", &format_tls, "it is spoken to over TLS", false },                         \
	{                                                                                          \
		"proxy_protocol", &format_true_or_false,                                           \
			"a line of PROXY protocol v1 stands in front of each connection", false    \
	}

/* The upstream's settings that a suite has and a case may set again. */
extern const struct shape format_upstream; /* a case's `upstream` */
#define UPSTREAM_KEYS                                                                              \
	{ "accounts", &format_variables, "its users and their passwords", false },                 \
		{ "messages", &format_any, "how many each account has at the start", false },      \
		{ "blobs", &format_variables, "files by blob id", false },                         \
		{ "advertise", &format_text, "origin of the URLs that its session names", false }, \
	{                                                                                          \
		"set", &format_variables, "knobs by name", false                                   \
	}

#endif
