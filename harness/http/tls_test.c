/*
 * How a TLS connection may end: RFC 9112 section 9.8. The server is OpenSSL itself, with a certificate made for the day.
 */
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "http/server_testing.h"

enum way { WITH_NOTIFY, WITHOUT };

static const struct row {
	const char *why, *bytes;
	enum way way;
	enum failure failure;
	const char *violations;
} rows[] = {
	{ "the end of TLS ends the body", "HTTP/1.1 200 OK\r\n\r\nabc", WITH_NOTIFY, FAILURE_NONE,
		"" },
	{ "the end of TCP alone doesn't", "HTTP/1.1 200 OK\r\n\r\nabc", WITHOUT, FAILURE_CLOSED,
		"truncated" },
	{ "a body with a length has its own end", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
		WITHOUT, FAILURE_NONE, "" },
	{ "cut before that", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", WITHOUT,
		FAILURE_CLOSED, "truncated" },
	{ "ended before that", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", WITH_NOTIFY,
		FAILURE_CLOSED, "truncated" },
};

struct tls_server {
	const struct row *row;
	SSL_CTX *context;
	int fd, port;
	pthread_t thread;
};

static SSL_CTX *new_context(void)
{
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *certificate = X509_new();
	ck_assert(context && key && certificate);
	ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
	X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
	X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
	X509_set_pubkey(certificate, key);
	X509_NAME *name = X509_get_subject_name(certificate);
	X509_NAME_add_entry_by_txt(
		name, "CN", MBSTRING_ASC, (const unsigned char *)"127.0.0.1", -1, -1, 0);
	X509_set_issuer_name(certificate, name);
	ck_assert(X509_sign(certificate, key, EVP_sha256()) > 0);
	ck_assert_int_eq(SSL_CTX_use_certificate(context, certificate), 1);
	ck_assert_int_eq(SSL_CTX_use_PrivateKey(context, key), 1);
	X509_free(certificate);
	EVP_PKEY_free(key);
	return context;
}

static void *serve(void *self)
{
	struct tls_server *server = self;
	char bytes[4096];
	int fd = accept(server->fd, NULL, NULL);
	SSL *ssl = SSL_new(server->context);
	SSL_set_fd(ssl, fd);
	if (SSL_accept(ssl) == 1 && SSL_read(ssl, bytes, sizeof bytes) > 0)
		SSL_write(ssl, server->row->bytes, (int)strlen(server->row->bytes));
	if (server->row->way == WITH_NOTIFY)
		SSL_shutdown(ssl);
	SSL_free(ssl);
	/* So that what was sent arrives before the end. */
	shutdown(fd, SHUT_WR);
	while (recv(fd, bytes, sizeof bytes, 0) > 0)
		;
	close(fd);
	return NULL;
}

static void start(struct tls_server *server, const struct row *row)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof address;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*server = (struct tls_server){ .row = row, .context = new_context() };
	server->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(server->fd, (struct sockaddr *)&address, sizeof address), 0);
	ck_assert_int_eq(listen(server->fd, 4), 0);
	getsockname(server->fd, (struct sockaddr *)&address, &size);
	server->port = ntohs(address.sin_port);
	pthread_create(&server->thread, NULL, serve, server);
}

static void check_row(const struct row *row, const struct request *request, const char *engine_name)
{
	struct tls_server server;
	struct err err = { 0 };
	char names[256];
	ck_assert_msg(http_init(&err) == RC_OK, "%s", err.text);
	start(&server, row);
	const struct client_options options = {
		.scheme = "https", .host = "127.0.0.1", .port = server.port, .insecure = true
	};
	struct engine *engine = engine_new();
	struct client *client = client_new(engine, &options);
	struct exchange *x = client_exchange(client, request);
	violation_names(x, names, sizeof names);
	ck_assert_msg(x->failure == row->failure && strcmp(names, row->violations) == 0,
		"%s, %s: failure %d (%s), violations %s", row->why, engine_name, x->failure,
		x->failure_text ? x->failure_text : "-", names);
	ck_assert(slice_is(x->layers[LAYER_WIRE].kept, "abc"));
	exchange_free(x);
	client_free(client);
	pthread_join(server.thread, NULL);
	close(server.fd);
	SSL_CTX_free(server.context);
	engine_free(engine);
}

START_TEST(ends_are_told_apart)
{
	static const struct request_header condition = { "If-None-Match", "\"x\"" };
	const struct request ordinary = {
		.method = "GET", .target = "/", .within_ns = 10 * NS_PER_S
	};
	struct request plain = ordinary;
	plain.headers = &condition;
	plain.header_count = 1;
	check_row(&rows[_i], &ordinary, "libcurl");
	check_row(&rows[_i], &plain, "the plain connection");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("tls");
	TCase *tests = tcase_create("tls");
	tcase_add_loop_test(tests, ends_are_told_apart, 0, sizeof rows / sizeof *rows);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
