/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that appear together, and what killed programs leave. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file_set.h"

static char folder[64];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/bandscape-files-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int tear_down(void **state)
{
    char **names;
    size_t count = file_list(folder, &names);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        remove(in_folder(names[i]));
        free(names[i]);
    }
    free(names);
    return rmdir(folder); /* also nothing that begins with a dot is left */
}

static void put(const char *name, const char *text)
{
    check_ok(file_write(in_folder(name), text, strlen(text), &failure));
}

static void check_text(const char *name, const char *want)
{
    char *data;
    size_t size;
    if (!want) {
        assert_false(file_exists(in_folder(name)));
        return;
    }
    check_ok(file_read(in_folder(name), 1000, &data, &size, &failure));
    assert_string_equal(data, want);
    free(data);
}

static size_t count_hidden(void)
{
    struct text command = {0};
    char line[32] = "";
    text_printf(&command, "ls -A %s | grep -c '^[.]bandscape-'", folder);
    FILE *stream = popen(command.data, "r");
    assert_non_null(stream);
    assert_non_null(fgets(line, sizeof line, stream));
    pclose(stream);
    text_free(&command);
    return (size_t)atol(line);
}

static struct file_set *new_set(void)
{
    struct file_set *set = file_set_create(folder);
    put("a", "old a");
    put("b", "old b");
    put("gone", "old gone");
    check_ok(file_set_write(set, "a", "new a", 5, &failure));
    check_ok(file_set_write(set, "b", "new b", 5, &failure));
    check_ok(file_set_write(set, "c", "new c", 5, &failure));
    file_set_replaces(set, "gone");
    file_set_replaces(set, "a"); /* it is in the set again */
    file_set_replaces(set, "never");
    return set;
}

static void test_all_or_none(void **state)
{
    FILE *stream;
    (void)state;
    /* Nothing is seen of a set that is not published. */
    struct file_set *set = new_set();
    check_ok(file_set_open(set, "d", &stream, &failure));
    fputs("half", stream);
    check_error(file_set_close(set, error_set(&failure, STATUS_FAILED, "no more"), &failure),
                STATUS_FAILED, "no more");
    assert_int_equal(set->entries.count, 3);
    file_set_destroy(set);
    check_text("a", "old a");
    check_text("gone", "old gone");
    check_text("c", NULL);
    assert_int_equal(count_hidden(), 0);

    /* When one cannot get its name, the others give theirs back. */
    set = new_set();
    unlink(in_folder("a"));
    assert_int_equal(mkdir(in_folder("a"), 0777), 0);
    check_error(file_set_publish(set, &failure), STATUS_IO, "cannot rename to");
    file_set_destroy(set);
    assert_true(file_is_directory(in_folder("a")));
    check_text("b", "old b");
    check_text("gone", "old gone");
    check_text("c", NULL);
    assert_int_equal(count_hidden(), 0);
    rmdir(in_folder("a"));

    set = new_set();
    char want[HASH_TEXT];
    struct hash_content *hash = hash_content_begin();
    hash_content_add(hash, "new b", 5);
    hash_content_end(hash, want);
    assert_string_equal(set->entries.items[1]->hash, want);
    check_ok(file_set_publish(set, &failure));
    check_text("a", "new a");
    check_text("b", "new b");
    check_text("c", "new c");
    check_text("gone", NULL);
    assert_int_equal(count_hidden(), 0);
    /* The same set goes on. */
    check_ok(file_set_write(set, "a", "newer", 5, &failure));
    check_ok(file_set_publish(set, &failure));
    check_text("a", "newer");
    check_text("b", "new b");
    file_set_destroy(set);
    file_set_destroy(NULL);
}

/* A process that was killed, with a file that it did not finish. */
static long leave_temporary(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct file_writer writer;
        if (file_writer_open(&writer, in_folder("never"), &failure))
            _exit(1);
        fputs("half", writer.stream);
        fflush(writer.stream);
        raise(SIGKILL);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_true(WIFSIGNALED(result) && WTERMSIG(result) == SIGKILL);
    return (long)child;
}

static void test_killed(void **state)
{
    (void)state;
    struct file_writer own;
    char other[256], locked[256];
    long gone = leave_temporary();
    assert_int_equal(count_hidden(), 1);
    leave_temporary();
    assert_int_equal(count_hidden(), 1); /* the second one took the first one's away */
    snprintf(other, sizeof other, "%s/.bandscape-%ld-1.partial.txt", folder, gone);
    snprintf(locked, sizeof locked, "%s/.bandscape-%ld-99.partial", folder, gone);
    int file = open(locked, O_RDWR | O_CREAT, 0666); /* a writer's that cannot be seen from here */
    assert_true(file >= 0 && flock(file, LOCK_EX) == 0);
    int foreign = open(other, O_RDWR | O_CREAT, 0666);
    assert_true(foreign >= 0);
    close(foreign);

    check_ok(file_writer_open(&own, in_folder("file"), &failure));
    assert_int_equal(count_hidden(), 3); /* its own, the locked one, and what is none */
    assert_int_equal(access(own.temporary, F_OK), 0);
    assert_int_equal(access(locked, F_OK), 0);
    assert_int_equal(access(other, F_OK), 0);
    check_ok(file_writer_commit(&own, &failure));
    close(file);
    unlink(locked);
    unlink(other);
    assert_int_equal(count_hidden(), 0);
    check_text("file", "");
    check_text("never", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_or_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_killed, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
