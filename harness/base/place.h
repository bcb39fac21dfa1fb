/*
 * place: where something stands in a file that a user wrote.
 *
 * line and col count from 1, col in code points. pointer is a JSON pointer (RFC 6901), or empty. The strings belong
 * to the document's arena and live as long as the case or suite they came from.
 */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

struct place {
	const char *file;
	int line, col;
	const char *pointer;
};

#endif
