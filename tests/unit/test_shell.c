/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell: words, values, steps of a session; and forty commands on a pseudo-terminal. */
#include "check.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/execute.h"
#include "cli/shell/lines.h"
#include "cli/shell/session.h"
#include "cli/shell/words.h"
#include "core/file.h"
#include "core/parallel.h"

SET_UP
{
    check_own_cache();
    setenv("XDG_STATE_HOME", check_path("state"), 1);
    setenv("INPUTRC", "/dev/null", 1);
    setenv("TERM", "dumb", 1);
    setenv("LC_ALL", "C", 1);
}

/* --- words --------------------------------------------------------------------------- */

/* The words of all statements: "a|b;c". */
static const char *words_of(const char *line)
{
    static char all[512];
    struct arena *arena = arena_create();
    size_t at = 0;
    bool more = true;
    all[0] = '\0';
    while (more) {
        struct words words;
        struct mark mark = {.file = "f", .line = 1};
        check_ok(words_next(line, &at, &mark, arena, &words, &more, &failure));
        if (more && all[0])
            strcat(all, ";");
        for (size_t i = 0; i < words.count; i++) {
            strcat(all, i ? "|" : "");
            strcat(all, words.items[i].text);
        }
        VECTOR_FREE(&words);
    }
    arena_destroy(arena);
    return all;
}

TEST(words)
{
    static const char *const table[][2] = {
        {"", ""},
        {"  # nothing", ""},
        {"set llc.capacity 8 MiB", "set|llc.capacity|8|MiB"},
        {" a;b ; ;c;", "a;b;c"},
        {"a 'b c' \"d;e\" f\\ g", "a|b c|d;e|f g"},
        {"a '' b", "a||b"},
        {"a\"b\\\"c\" '\\'", "ab\"c|\\"},
        {"set x *2 # twice", "set|x|*2"},
        {"a#b", "a#b"},
        {"a\tb\r", "a|b"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_string_equal(words_of(table[i][0]), table[i][1]);
}

TEST(a_quote_that_does_not_end_has_its_place)
{
    struct arena *arena = arena_create();
    struct mark mark = {.file = "f", .line = 7};
    struct words words;
    size_t at = 0;
    bool more;
    check_error(words_next("a b\"c d", &at, &mark, arena, &words, &more, &failure), STATUS_USAGE,
                "f:7:4: error: this quote does not end");
    VECTOR_FREE(&words);
    arena_destroy(arena);
}

/* What a word is written as, is read as. */
TEST(quoted_words_come_back)
{
    static const char *const table[] = {"a", "a b", "", "a\"b", "it's", "x\\y", "#a", "a;b"};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct text text = {0};
        text_append(&text, "x ");
        words_quote(table[i], &text);
        assert_string_equal(words_of(text.data) + 2, table[i]);
        text_free(&text);
    }
}

TEST(what_is_being_typed)
{
    static const char *const table[][2] = {
        {"", ""}, {"a; se", "se"}, {"set ", "set|"}, {"a 'b c", "a|b c"}, {"x;", ""}};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char all[64] = "";
        struct words words;
        words_unfinished(table[i][0], strlen(table[i][0]), arena, &words);
        for (size_t k = 0; k < words.count; k++) {
            strcat(all, k ? "|" : "");
            strcat(all, words.items[k].text);
        }
        VECTOR_FREE(&words);
        assert_string_equal(all, table[i][1]);
    }
    arena_destroy(arena);
}

/* --- steps --------------------------------------------------------------------------- */

static int enter(struct session *session, const char *machine, const char *path, const char *value)
{
    struct session_state next = session_copy(session);
    if (machine)
        next.machine = machine;
    if (path)
        session_put(session, &next, path, value);
    return session_enter(session, &next, &failure);
}

TEST(a_bad_step_is_none)
{
    struct session session;
    session_init(&session);
    check_ok(enter(&session, "sac", NULL, NULL));
    check_ok(enter(&session, NULL, "llc.capacity", "8 MiB"));
    check_error(enter(&session, NULL, "llc.ways", "3 GB/s"), STATUS_INPUT, "llc.ways");
    check_error(enter(&session, NULL, "llc.capacity", "1 B"), STATUS_INPUT, "llc");
    check_error(enter(&session, "nosuch", NULL, NULL), STATUS_INPUT, "nosuch");
    assert_int_equal(session.now, 2);
    assert_string_equal(session_state(&session)->settings.items[0].value, "8 MiB");
    session.now--; /* undone; what comes now takes redo away */
    check_ok(enter(&session, NULL, "llc.ways", "8"));
    assert_int_equal(session.states.count, 3);
    assert_int_equal(session_state(&session)->settings.count, 1);
    session_fini(&session);
}

TEST(several_steps_become_one)
{
    struct session session;
    session_init(&session);
    check_ok(enter(&session, "sac", NULL, NULL));
    check_ok(enter(&session, NULL, "llc.ways", "8"));
    check_ok(enter(&session, NULL, "llc.ways", "4"));
    session_join(&session, 1, true);
    assert_int_equal(session.now, 2);
    assert_string_equal(session_state(&session)->settings.items[0].value, "4");
    check_ok(enter(&session, NULL, "llc.ways", "2"));
    session_join(&session, 1, false);
    assert_int_equal(session.now, 1);
    assert_int_equal(session.states.count, 2);
    assert_int_equal(session_state(&session)->settings.count, 0);
    session_fini(&session);
}

/* --- a terminal ---------------------------------------------------------------------- */

enum { PATIENCE_S = 60 };

static struct {
    pid_t child;
    int terminal;
    struct text seen; /* since something was typed */
} shell;

static void start(void)
{
    struct winsize size = {.ws_row = 50, .ws_col = 200};
    fflush(NULL);
    shell.child = forkpty(&shell.terminal, NULL, NULL, &size);
    assert_true(shell.child >= 0);
    if (shell.child)
        return;
    char name[] = "shell", *words[] = {name};
    struct error error = {0};
    interrupt_install();
    int status = execute_command(1, words, &error);
    if (status)
        execute_tell_error(&error);
    fflush(stdout);
    _exit(status ? error_exit_status(error.status) : 0);
}

/* What has come; false: nothing for a tenth of a second, or nothing any more (*ended). */
static bool hear(bool *ended)
{
    char piece[4096];
    struct pollfd wait = {.fd = shell.terminal, .events = POLLIN};
    if (poll(&wait, 1, 100) <= 0)
        return false;
    ssize_t got = read(shell.terminal, piece, sizeof piece);
    if (got <= 0) {
        *ended = got == 0 || errno != EINTR;
        return false;
    }
    for (ssize_t i = 0; i < got; i++)
        if (piece[i] != '\r' && piece[i] != '\a')
            text_append_bytes(&shell.seen, &piece[i], 1);
    return true;
}

/* The last line is a prompt, in a line of its own. */
static bool prompted(void)
{
    const char *last = shell.seen.data ? strrchr(shell.seen.data, '\n') : NULL;
    size_t name = last ? strspn(last + 1, "abcdefghijklmnopqrstuvwxyz0123456789-*") : 0;
    return name > 0 && strcmp(last + 1 + name, "> ") == 0;
}

static void wait_for(const char *words)
{
    bool ended = false;
    time_t start_s = time(NULL);
    while (!(words ? shell.seen.data && strstr(shell.seen.data, words) : prompted())) {
        hear(&ended);
        if (ended || time(NULL) - start_s > PATIENCE_S) {
            kill(shell.child, SIGKILL);
            fail_msg("no %s in: %s", words ? words : "prompt", shell.seen.data);
        }
    }
}

static void type(const char *keys)
{
    text_free(&shell.seen);
    text_append(&shell.seen, "");
    assert_int_equal(write(shell.terminal, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Waits for its end; the exit status. */
static int end(void)
{
    int status;
    bool ended = false;
    time_t start_s = time(NULL);
    while (!ended && time(NULL) - start_s <= PATIENCE_S)
        hear(&ended);
    if (!ended)
        kill(shell.child, SIGKILL);
    assert_int_equal(waitpid(shell.child, &status, 0), shell.child);
    close(shell.terminal);
    text_free(&shell.seen);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* A line, and what of the answer is looked for: words that are there, and one that is not. */
struct step {
    const char *line, *words[3], *missing;
};

static void take(const struct step *step)
{
    type(step->line);
    type("\n");
    wait_for(NULL);
    const char *answer = strchr(shell.seen.data, '\n');
    for (int i = 0; i < 3 && step->words[i]; i++)
        if (!strstr(answer, step->words[i]))
            fail_msg("%s: no \"%s\" in: %s", step->line, step->words[i], shell.seen.data);
    if (step->missing && strstr(answer, step->missing))
        fail_msg("%s: \"%s\" in: %s", step->line, step->missing, shell.seen.data);
}

static const struct step steps[] = {
    {"machine", {"no machine", "bandscape> "}},
    {"eval", {"error: whatif needs a machine"}},
    {"machine sax", {"there is no machine", "sac", "^"}},
    {"machine sac", {"\nsac> "}},
    {"machine", {"sac"}},
    {"workload", {"no workload"}},
    {"workload nosuch", {"error: "}},
    {"workload gemm:ni=64,nj=64,nk=32", {"sac> "}, "error"},
    {"workload", {"gemm:ni=64,nj=64,nk=32"}},
    {"model eab", {"sac> "}, "error"},
    {"model", {"eab"}},
    {"eval", {"memory-side", "sm-side", "EAB-style"}, "network"},
    {"set inter.link_bandwidth 384 GB/s", {"inter.link_bandwidth: 96 GB/s -> 384 GB/s", "sac*> "}},
    {"set inter.link_bandwidth /2", {"inter.link_bandwidth: 384 GB/s -> 192 GB/s"}},
    {"set llc.capacity *2", {"llc.capacity: 4 MiB -> 8 MiB"}},
    {"set llc.capacity 4 GB/s", {"expected bytes", "|                  ^", "hint: "}},
    {"set llc.capcity 4 MiB", {"did you mean \"llc.capacity\"?", "|     ^"}},
    {"set", {"inter.link_bandwidth 192 GB/s", "llc.capacity 8 MiB"}},
    {"diff", {"llc.capacity          4 MiB    8 MiB", "inter.link_bandwidth  96 GB/s  192 GB/s"}},
    {"eval -o memory-side --format csv", {"gemm,memory-side,eab"}, "sm-side"},
    {"undo", {"sac, inter.link_bandwidth 192 GB/s; gemm", "model eab"}, "llc"},
    {"undo", {"sac, inter.link_bandwidth 384 GB/s; "}},
    {"redo", {"sac, inter.link_bandwidth 192 GB/s; "}},
    {"redo", {"llc.capacity 8 MiB"}},
    {"redo", {"nothing was undone"}},
    {"unset llc.capacity; set", {"inter.link_bandwidth 192 GB/s"}, "llc"},
    {"unset llc.ways", {"llc.ways is not set"}},
    {"evall", {"there is no verb \"evall\"", "did you mean \"eval\"?"}},
    {"compare --format csv", {",sac,eab,", ",sac:inter.link_bandwidth=192 GB/s,eab,"}},
    {"sensitivity", {"by eab", "elasticity"}},
    {"goal --vary inter.link_bandwidth=48..768GB/s --reach \"effective_bandwidth > 1 GB/s\"",
     {"holds everywhere"}},
    {"model none; simulate --requests 2000 -o memory-side", {"memory-side"}, "error"},
    {"model eab; rank", {"shell: 3 points", "llc.organisation  kernel_time"}},
    {"sweep inter.link_bandwidth 96,192,384 GB/s", {"shell: 3 points", "384 GB/s"}},
    {"pareto", {"inter.link_bandwidth,", "9.6e+10,"}},
    {"save", {"expected: save FILE", "help save"}},
    {"help set", {"set [PATH VALUE]", "*2"}},
    {"help", {"undo", "sensitivity", "whatif"}},
    {"list parameters inter.link_bandwidth", {"96 GB/s"}},
    {"machine nuba", {"1 setting of sac dropped", "nuba> "}},
    {"undo", {"sac, inter.link_bandwidth 192 GB/s", "sac*> "}},
};

static void complete(const char *keys, const char *wanted)
{
    type(keys);
    wait_for(wanted);
}

/* Tab: verbs, machines, parameters, their names, options, models, workloads; then the line runs. */
static void take_completions(void)
{
    struct step end_line = {"", {"sac"}, NULL};
    complete("mach\t", "machine ");
    complete("sac-2\t", "chip ");
    type("\n");
    wait_for("sac-2chip> ");
    take(&(struct step){"undo", {"sac"}, NULL});
    complete("set llc.orga\t", "nisation ");
    complete("sm\t", "-side ");
    type("\n");
    wait_for("llc.organisation: memory-side -> sm-side");
    wait_for(NULL);
    complete("unset llc\t", ".organisation ");
    take(&end_line);
    complete("eval --mod\t", "el ");
    complete("ea\t", "b ");
    take(&(struct step){"", {"EAB-style"}, NULL});
    complete("sensi\t", "tivity ");
    complete("--by 10% --met\t", "ric ");
    complete("kernel\t", "_time ");
    take(&(struct step){"", {"10 % less and more"}, NULL});
    complete("workload gemm:input=sm\t", "all ");
    take(&end_line);
    complete("sweep llc.cap\t", "acity=");
    complete("4,8MiB --maximise effective_b\t", "andwidth ");
    take(&(struct step){"", {"ranked by effective_bandwidth"}, NULL});
    complete("help und\t", "o ");
    take(&(struct step){"", {"undo"}, NULL});
}

/* A question that takes an hour. Ctrl-C before it has begun drops the line as at a prompt: then
 * once more, with more time. */
static void take_interrupted_question(void)
{
    bool told = false;
    for (int attempt = 0; attempt < 8 && !told; attempt++) {
        struct timespec pause = {.tv_sec = attempt, .tv_nsec = 200000000};
        type("simulate -w stencil --requests 1000000000\n");
        wait_for("\n");
        nanosleep(&pause, NULL);
        type("\003");
        wait_for(NULL);
        told = strstr(shell.seen.data, "interrupted") != NULL;
    }
    assert_true(told);
}

/* Ctrl-C at a prompt drops the line; in a question it ends that, and the session stays. */
static void take_interrupts(void)
{
    type("nonsense");
    wait_for("nonsense");
    type("\003");
    wait_for(NULL);
    take_interrupted_question();
    take(&(struct step){"set", {"inter.link_bandwidth 192 GB/s"}, "error"});
}

static void take_plot(void)
{
    bool gnuplot = system("gnuplot --version >/dev/null 2>&1") == 0;
    take(&(struct step){"sweep inter.link_bandwidth 96..384 GB/s:9", {"shell: 9 points"}, NULL});
    take(&(struct step){"plot", {gnuplot ? "inter-chip link bandwidth (GB/s)" : "gnuplot"}, NULL});
}

TEST(a_session_on_a_terminal)
{
    if (strcmp(lines_editing(), "none") == 0)
        skip();
    start();
    wait_for("bandscape> ");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        take(&steps[i]);
    take_completions();
    take_interrupts();
    take_plot();
    type("quit\n");
    assert_int_equal(end(), 0);
}

/* Lines of that session come back in the next one; the end of the input ends it. */
TEST(history)
{
    if (strcmp(lines_editing(), "none") == 0)
        skip();
    start();
    wait_for("bandscape> ");
    type("\020"); /* Ctrl-P */
    wait_for("quit");
    type("\020");
    wait_for("plot");
    type("\025\004"); /* the line is deleted; Ctrl-D */
    assert_int_equal(end(), 0);
}

/* A request to end is followed at the prompt, too. */
TEST(a_request_to_end)
{
    start();
    wait_for("bandscape> ");
    kill(shell.child, SIGTERM);
    assert_int_equal(end(), 130);
}
