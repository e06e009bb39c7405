/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newton's method for the Linearizer's fixed point where it is hard to find: thousands of customers
 * of classes that are almost alike, before stations that are almost equally full (GPUs whose
 * domains differ by parts of a per cent, and whose links are what they wait for). */
#include "queueing_check.h"

#include "core/memory.h"
#include "queueing/batch.h"
#include "queueing/closed_kernels.h"

enum { CLASSES = 4, STATIONS = 24 };

struct hard {
    int classes, stations;
    double population[CLASSES], think_s[CLASSES];
    int copies[STATIONS];
    double demand_s[STATIONS * CLASSES]; /* [station * classes + class] */
};

/* Differences between populations that go on by all that they miss circle here, and settle by the
 * parts that they are taken by. */
static const struct hard circling = {
    4,
    24,
    {42678, 42750, 42702, 42692},
    {6.6541277548697055e-07, 6.6539019298932137e-07, 6.6549952576908728e-07,
     6.6538739949298582e-07},
    {1, 1, 1, 1, 1, 1, 1, 1, 16, 16, 16, 16, 1, 1, 1, 1, 1, 1, 1, 1, 8, 8, 8, 8},
    {5.7010033864032858e-10,
     0,
     0,
     0,
     0,
     5.7010033864032858e-10,
     0,
     0,
     0,
     0,
     5.7010033864032858e-10,
     0,
     0,
     0,
     0,
     5.7010033864032858e-10,
     3.1999999999999999e-11,
     5.0588308141094873e-12,
     5.0450982607042589e-12,
     5.0432470193355664e-12,
     5.0270945262386043e-12,
     3.1999999999999999e-11,
     5.0182966307860579e-12,
     5.0176738623320906e-12,
     5.0268298935680478e-12,
     5.033028091008538e-12,
     3.1999999999999999e-11,
     5.0157779213818319e-12,
     5.0253744138799838e-12,
     5.0342169536770115e-12,
     5.0196190796307064e-12,
     3.1999999999999999e-11,
     1.1684408061194485e-09,
     3.493321166990302e-10,
     3.4838383000492864e-10,
     3.482559945248326e-10,
     3.471406015000668e-10,
     1.1652106689999337e-09,
     3.465330722993742e-10,
     3.4649006769411427e-10,
     3.4712232757584395e-10,
     3.4755033742854861e-10,
     1.1681842613027763e-09,
     3.4635914553252642e-10,
     3.4702182099261808e-10,
     3.4763243306046501e-10,
     3.4662439258089828e-10,
     1.1686203484365041e-09,
     0,
     6.3132827424566608e-10,
     2.1021242752934413e-10,
     0,
     0,
     0,
     2.1021242752934413e-10,
     6.2934032920846761e-10,
     0,
     0,
     6.2840381342818236e-10,
     2.090697442638371e-10,
     6.2837578941855243e-10,
     0,
     0,
     2.090697442638371e-10,
     2.0945124556533532e-10,
     0,
     0,
     6.270512377123231e-10,
     2.0945124556533532e-10,
     6.2917804732058704e-10,
     0,
     0,
     6.2823244672200066e-10,
     2.0975903973654214e-10,
     0,
     0,
     0,
     2.0975903973654214e-10,
     6.2851401749856959e-10,
     0,
     6.4356118074765023e-11,
     1.9240734174848821e-11,
     1.9188503843509221e-11,
     1.918146284048355e-11,
     1.9120028521495666e-11,
     6.4178206549617602e-11,
     1.9086566645832931e-11,
     1.9084198011119582e-11,
     1.9119022018796676e-11,
     1.9142596214830881e-11,
     6.4341987937896499e-11,
     1.9076986997908111e-11,
     1.9113486253952192e-11,
     1.9147117929712253e-11,
     1.9091596441770908e-11,
     6.436600701949831e-11}};

/* Newton's method settles neither way; the iteration does. */
static const struct hard left_over = {
    3,
    23,
    {8285, 8285, 8285},
    {2.3231770159300983e-07, 2.3235671754565945e-07, 2.3223260700774671e-07},
    {1, 1, 1, 1, 1, 1, 1, 16, 16, 16, 16, 1, 1, 1, 1, 1, 1, 1, 1, 8, 8, 8, 8},
    {5.6928991437708465e-10,
     0,
     0,
     0,
     5.6928991437708465e-10,
     0,
     0,
     0,
     5.6928991437708465e-10,
     5.0563787127964533e-12,
     5.0562834369813871e-12,
     5.0470177449891559e-12,
     3.1999999999999999e-11,
     5.0278605419214329e-12,
     5.0224575115126095e-12,
     5.0299057560541219e-12,
     3.1999999999999999e-11,
     5.0206937604550474e-12,
     5.0310491063453194e-12,
     5.028608512844063e-12,
     3.1999999999999999e-11,
     3.4741121841762851e-10,
     3.47404672253095e-10,
     3.4676804957759064e-10,
     1.1599660638425144e-09,
     3.4545180575226396e-10,
     3.450805769570935e-10,
     3.4559232733383862e-10,
     1.1602808187042631e-09,
     3.4495939400409554e-10,
     3.4567088409161033e-10,
     3.4550319697597004e-10,
     1.1618324731468121e-09,
     6.3099193883075939e-10,
     2.1067847654089114e-10,
     0,
     0,
     2.1067847654089114e-10,
     6.2985387506212173e-10,
     0,
     6.2966685503434393e-10,
     2.0926906297969204e-10,
     0,
     0,
     2.0926906297969204e-10,
     0,
     0,
     6.2766020968427931e-10,
     6.2878585910223174e-10,
     0,
     0,
     2.0962704609772164e-10,
     0,
     0,
     2.0962704609772164e-10,
     6.2972918594456307e-10,
     0,
     9.4672912634930986e-12,
     9.4671128741866735e-12,
     9.4497642913706224e-12,
     3.1610195641303084e-11,
     9.4138953757814824e-12,
     9.4037790325462758e-12,
     9.4177247246080205e-12,
     3.1618773015304844e-11,
     9.4004766800274721e-12,
     9.4198654721346194e-12,
     9.4152958362658309e-12,
     3.1661057097594459e-11}};

/* Eight links that all wait for, of four domains that differ by a per cent: each sweep's
 * populations are still on their way to the last differences, and these wander. */
static const struct hard wandering = {
    4,
    24,
    {3381, 3381, 3381, 3381},
    {3.0045189947816204e-07, 3.0090829432006582e-07, 3.0036802443752774e-07,
     3.0066770765460575e-07},
    {1, 1, 1, 1, 1, 1, 1, 1, 16, 16, 16, 16, 1, 1, 1, 1, 1, 1, 1, 1, 8, 8, 8, 8},
    {6.7796502947949096e-11,
     0,
     0,
     0,
     0,
     6.7796502947949096e-11,
     0,
     0,
     0,
     0,
     6.7796502947949096e-11,
     0,
     0,
     0,
     0,
     6.7796502947949096e-11,
     1.4222222222222222e-11,
     3.4059341357602956e-12,
     3.3627481577075443e-12,
     3.3627481577075443e-12,
     3.3894244962338787e-12,
     1.4222222222222222e-11,
     3.4088132009638122e-12,
     3.4084083324195676e-12,
     3.377143483725128e-12,
     3.3628831138889591e-12,
     1.4222222222222222e-11,
     3.3632879824332037e-12,
     3.4705331612642018e-12,
     3.4572174846979368e-12,
     3.4671592567288307e-12,
     1.4222222222222222e-11,
     4.4590580891020413e-10,
     3.8109903940995151e-10,
     3.7626684533459284e-10,
     3.7626684533459284e-10,
     3.7925173188322583e-10,
     4.4714405864201476e-10,
     3.8142118568164208e-10,
     3.8137588386218562e-10,
     3.7787757669304572e-10,
     3.7628194594107836e-10,
     4.4572460163237818e-10,
     3.7632724776053488e-10,
     3.8832719638100875e-10,
     3.8683726987443984e-10,
     3.8794968121887137e-10,
     4.5739233691017119e-10,
     3.9040237169326416e-13,
     6.632000391376299e-10,
     2.1717363772633174e-10,
     1.3102123694901508e-13,
     3.9663810203019377e-13,
     1.3289748969875679e-13,
     2.1717363772633174e-10,
     6.5446974722078981e-10,
     1.2981939763005611e-13,
     3.914399308175452e-13,
     6.5747087585642907e-10,
     2.2012247176812632e-10,
     6.5589622753066284e-10,
     3.9474974442400211e-13,
     1.2926603276377283e-13,
     2.2012247176812632e-10,
     2.1810331939468081e-10,
     1.3289748969875679e-13,
     3.9582534738284021e-13,
     6.5453947334591602e-10,
     2.1810331939468081e-10,
     6.5763938065881735e-10,
     3.913396334355314e-13,
     1.3102123694901508e-13,
     6.663725778308709e-10,
     2.2327467367487223e-10,
     1.2926603276377283e-13,
     3.8955330247656071e-13,
     1.2981939763005611e-13,
     2.2327467367487223e-10,
     6.6500710788048328e-10,
     3.89594804841532e-13,
     1.2815496008045094e-12,
     1.0952925753904187e-12,
     1.0814046729129406e-12,
     1.0814046729129406e-12,
     1.0899833460057994e-12,
     1.285108375814363e-12,
     1.096218435555584e-12,
     1.0960882364698574e-12,
     1.0860339737387667e-12,
     1.0814480726081829e-12,
     1.281028804461604e-12,
     1.0815782716939091e-12,
     1.1160665628463126e-12,
     1.1117844595824234e-12,
     1.1149815704652596e-12,
     1.3145623023186805e-12}};

/* Newton's sweeps of one step of each population, thorough ones, or the iteration. */
enum way { SHORT, THOROUGH, ITERATION };

/* A block of one lane; `rounds`, `sweeps`: at most. Throughputs; whether it settled. */
static bool solve(const struct hard *hard, enum way way, double tolerance, int rounds, int sweeps,
                  double *throughput)
{
    bool newton = way != ITERATION;
    static const struct queueing_station *const varying[STATIONS];
    double excess[STATIONS], spread[STATIONS], residence[STATIONS * CLASSES], unsettled[1];
    double reached[1];
    for (int k = 0; k < hard->stations; k++) {
        excess[k] = 0.5; /* of deterministic service */
        spread[k] = 1.0 / hard->copies[k];
    }
    struct closed_block block = {.classes = hard->classes,
                                 .stations = hard->stations,
                                 .population = hard->population,
                                 .think_s = hard->think_s,
                                 .demand_s = hard->demand_s,
                                 .excess = excess,
                                 .spread = spread,
                                 .residual = true,
                                 .varying = varying,
                                 .tolerance = tolerance,
                                 .rounds = rounds,
                                 .sweeps = sweeps,
                                 .thorough = way == THOROUGH,
                                 .enough = &tolerance,
                                 .reached = reached,
                                 .throughput_per_s = throughput,
                                 .residence_s = residence,
                                 .unsettled = unsettled};
    size_t size = newton ? closed_work_newton(hard->classes, hard->stations, 1, block.thorough)
                         : closed_work_iterate(hard->classes, hard->stations, 1);
    block.work = memory_aligned(64, size * sizeof *block.work);
    const struct closed_solvers *solvers = &closed_kernels_get()->one;
    (newton ? solvers->newton : solvers->linearizer)(&block);
    free(block.work);
    return unsettled[0] == 0.0;
}

/* As models ask for it: a point between others, whose stations are 1, 1.3 ... times as slow. */
static void solve_batch(const struct hard *hard, double tolerance, double tolerance_most,
                        size_t count, size_t place, double *throughput)
{
    enum { MOST = 40 };
    static double demand[STATIONS * CLASSES][MOST], think[CLASSES][MOST], population[CLASSES][MOST];
    static double found[CLASSES][MOST];
    const double *demand_at[STATIONS * CLASSES], *think_at[CLASSES], *population_at[CLASSES];
    double *found_at[CLASSES];
    struct queueing_class class[CLASSES] = {{.name = "some"}};
    struct queueing_station station[STATIONS] = {{.name = "one"}};
    for (int k = 0; k < hard->stations; k++)
        station[k] = (struct queueing_station){.name = "one", .kind = QUEUEING_QUEUE, .scv = 0};
    for (int c = 0; c < hard->classes; c++)
        class[c].name = "some";
    for (size_t p = 0; p < count; p++) {
        double slower = 1 + 0.3 * fabs((double)p - (double)place);
        for (int i = 0; i < hard->stations * hard->classes; i++)
            demand[i][p] = hard->demand_s[i] * (i < hard->classes ? slower : 1);
        for (int c = 0; c < hard->classes; c++) {
            think[c][p] = hard->think_s[c];
            population[c][p] = hard->population[c];
        }
    }
    for (int i = 0; i < hard->stations * hard->classes; i++)
        demand_at[i] = demand[i];
    for (int c = 0; c < hard->classes; c++) {
        think_at[c] = think[c];
        population_at[c] = population[c];
        found_at[c] = found[c];
    }
    struct queueing_network network = {hard->classes, hard->stations, class, station, NULL};
    struct queueing_batch batch = {.network = &network,
                                   .copies = hard->copies,
                                   .count = count,
                                   .demand_s = demand_at,
                                   .think_s = think_at,
                                   .population = population_at,
                                   .throughput_per_s = found_at};
    struct queueing_options options = {
        .tolerance = tolerance, .tolerance_most = tolerance_most, .rounds = 4000};
    check_ok(queueing_solve_batch(&batch, QUEUEING_LINEARIZER, &options, &failure));
    for (int c = 0; c < hard->classes; c++)
        throughput[c] = found[c][place];
}

static void check_near(const struct hard *hard, const double *a, const double *b, double tolerance)
{
    for (int c = 0; c < hard->classes; c++)
        check_relative(a[c], b[c], tolerance);
}

/* To where the iteration goes, which takes a hundred times as many rounds. */
TEST(parts_of_steps_settle_what_circles)
{
    double newton[CLASSES], iterated[CLASSES];
    assert_false(solve(&circling, SHORT, 1e-9, 4000, 16, newton));
    assert_true(solve(&circling, SHORT, 1e-9, 4000, 40, newton));
    assert_false(solve(&circling, ITERATION, 1e-9, 4000, 0, iterated));
    assert_true(solve(&circling, ITERATION, 1e-10, 300000, 0, iterated));
    check_near(&circling, newton, iterated, 1e-8);
}

/* Where short ones are not there after forty. Iterated, the first digits are there after some ten
 * thousand rounds. */
TEST(thorough_sweeps_settle_what_wanders)
{
    double newton[CLASSES], iterated[CLASSES], found[CLASSES];
    assert_false(solve(&wandering, SHORT, 1e-9, 4000, 40, newton));
    assert_false(solve(&wandering, THOROUGH, 1e-9, 4000, 4, newton));
    assert_true(solve(&wandering, THOROUGH, 1e-9, 4000, 10, newton));
    assert_false(solve(&wandering, ITERATION, 1e-6, 10000, 0, iterated));
    assert_true(solve(&wandering, ITERATION, 1e-6, 300000, 0, iterated));
    check_near(&wandering, newton, iterated, 2e-4);
    for (size_t count = 1; count <= 19; count += 18) {
        solve_batch(&wandering, 1e-9, 0, count, count / 2, found);
        assert_memory_equal(found, newton, sizeof newton);
    }
}

/* The second time, beside others that have not settled or alone: the same bits. */
TEST(a_batch_settles_it_too)
{
    double newton[CLASSES], found[CLASSES];
    assert_true(solve(&circling, THOROUGH, 1e-9, 4000, 24, newton));
    for (size_t count = 1; count <= 37; count += 18) {
        solve_batch(&circling, 1e-9, 0, count, count / 2, found);
        assert_memory_equal(found, newton, sizeof newton);
    }
}

/* What Newton's method does not find is iterated. */
TEST(the_iteration_takes_what_is_left)
{
    double newton[CLASSES], iterated[CLASSES], found[CLASSES];
    assert_false(solve(&left_over, THOROUGH, 1e-6, 4000, 24, newton));
    assert_true(solve(&left_over, ITERATION, 1e-6, 4000, 0, iterated));
    for (size_t count = 1; count <= 19; count += 18) {
        solve_batch(&left_over, 1e-6, 0, count, count / 2, found);
        assert_memory_equal(found, iterated, (size_t)left_over.classes * sizeof *found);
    }
}

/* Or it is taken where it changed least, alone and beside others, if that is little. */
TEST(what_changes_little_is_taken)
{
    double iterated[CLASSES], alone[CLASSES], found[CLASSES];
    assert_true(solve(&left_over, ITERATION, 1e-05, 4000, 0, iterated));
    solve_batch(&left_over, 1e-9, 1e-3, 1, 0, alone);
    check_near(&left_over, alone, iterated, 1e-3);
    for (int c = 0; c < left_over.classes; c++)
        assert_true(alone[c] != iterated[c]);
    solve_batch(&left_over, 1e-9, 1e-3, 19, 9, found);
    assert_memory_equal(found, alone, (size_t)left_over.classes * sizeof *found);
    solve_batch(&left_over, 1e-9, 1e-12, 1, 0, found);
    assert_true(isnan(found[0]));
}
