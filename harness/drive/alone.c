#include "drive/alone.h"

void alone_init(struct alone *alone)
{
	*alone = (struct alone){ 0 };
	pthread_mutex_init(&alone->mutex, NULL);
	pthread_cond_init(&alone->changed, NULL);
}

void alone_release(struct alone *alone)
{
	pthread_cond_destroy(&alone->changed);
	pthread_mutex_destroy(&alone->mutex);
}

void alone_enter(struct alone *alone, bool by_itself)
{
	pthread_mutex_lock(&alone->mutex);
	if (by_itself) {
		alone->waiting++;
		while (alone->taken || alone->inside)
			pthread_cond_wait(&alone->changed, &alone->mutex);
		alone->waiting--;
		alone->taken = true;
	} else {
		while (alone->taken || alone->waiting)
			pthread_cond_wait(&alone->changed, &alone->mutex);
		alone->inside++;
	}
	pthread_mutex_unlock(&alone->mutex);
}

void alone_leave(struct alone *alone, bool by_itself)
{
	pthread_mutex_lock(&alone->mutex);
	if (by_itself)
		alone->taken = false;
	else
		alone->inside--;
	pthread_cond_broadcast(&alone->changed);
	pthread_mutex_unlock(&alone->mutex);
}
