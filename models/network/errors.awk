# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a file of a model's errors, which `bandscape uncertainty` draws from, of what
# `bandscape validate referee --format csv` prints: one table or several.
#
#     awk -f models/network/errors.awk [-v model=network] RUNS.csv... >models/network/errors.yaml
#
# An error is ln(model / simulated bandwidth), a list a workload, a number a machine, in the order of
# the runs. Runs that the model refuses are left out. `alike` is the distance d between the logarithms
# of two answers of the model from which on errors are independent: that of which min(1, distance / d)
# is nearest, in the mean square over pairs of runs of one workload, machine and organisation, to half
# the square of the difference of their errors over the variance of the workload's.

# The fields of a line; a quoted one may have commas.
function fields(line, out,    n, rest, comma) {
    n = 0
    rest = line
    while (length(rest) || n == 0) {
        if (substr(rest, 1, 1) == "\"") {
            rest = substr(rest, 2)
            match(rest, /"(,|$)/)
            out[++n] = substr(rest, 1, RSTART - 1)
            rest = substr(rest, RSTART + RLENGTH)
        } else {
            comma = index(rest, ",")
            if (!comma) comma = length(rest) + 1
            out[++n] = substr(rest, 1, comma - 1)
            rest = substr(rest, comma + 1)
        }
    }
    return n
}

BEGIN {
    if (model == "") model = "network"
}
/^#/ { next }
{
    n = fields($0, field)
}
field[1] == "machine" && field[2] == "settings" {
    for (i = 1; i <= n; i++) column[field[i]] = i
    if (!(("error_" model) in column)) {
        print "errors.awk: no column error_" model >"/dev/stderr"
        failed = 1
        exit 1
    }
    next
}
{
    error = field[column["error_" model]]
    workload = field[column["workload"]]
    if (error == "" || error + 0 <= -1) next
    if (!(workload in count)) names[++workloads] = workload
    log_of[workload, ++count[workload]] = log(1 + error)
    time_of[workload, count[workload]] = log(field[column["kernel_time_" model]])
    kind_of[workload, count[workload]] = field[1] " " field[column["organisation"]]
    machine = field[1] " " field[2] " " field[column["organisation"]]
    if (!(machine in known)) { known[machine] = 1; machines++ }
    runs++
}
# Pairs: their distance, and half the square over the variance.
function add_pairs(workload,    i, j, n, mean, variance, difference) {
    n = count[workload]
    for (i = 1; i <= n; i++) mean += log_of[workload, i] / n
    for (i = 1; i <= n; i++) variance += (log_of[workload, i] - mean) ^ 2 / (n - 1)
    for (i = 1; i <= n; i++)
        for (j = 1; j < i; j++)
            if (kind_of[workload, i] == kind_of[workload, j] && variance > 0) {
                difference = log_of[workload, i] - log_of[workload, j]
                distance[++pairs] = time_of[workload, i] - time_of[workload, j]
                if (distance[pairs] < 0) distance[pairs] = -distance[pairs]
                half[pairs] = difference ^ 2 / 2 / variance
            }
}

function find_alike(    d, p, expected, sum, least, best) {
    for (d = 0.01; d < 2; d += 0.01) {
        sum = 0
        for (p = 1; p <= pairs; p++) {
            expected = distance[p] / d
            sum += (half[p] - (expected < 1 ? expected : 1)) ^ 2
        }
        if (best == "" || sum < least) { best = d; least = sum }
    }
    return best
}

END {
    if (failed || !runs) {
        if (!failed) print "errors.awk: no runs" >"/dev/stderr"
        exit 1
    }
    print "# SPDX-License-Identifier: GPL-3.0-or-later"
    print "# ln(model / simulated) of the bandwidth: made by models/network/errors.awk of"
    print "# `bandscape validate referee --format csv` with the workloads below."
    print "model_errors: " model
    print "origin: validate referee, " runs " runs, " workloads " workloads on " machines " machines"
    for (w = 1; w <= workloads; w++) add_pairs(names[w])
    if (pairs) printf "alike: %.2f\n", find_alike()
    print "errors:"
    for (w = 1; w <= workloads; w++) {
        printf "  \"%s\": [", names[w]
        used = 100
        for (i = 1; i <= count[names[w]]; i++) {
            text = sprintf("%.4f%s", log_of[names[w], i], i < count[names[w]] ? "," : "]")
            if (used + 1 + length(text) > 98) {
                printf "\n   "
                used = 3
            }
            printf " %s", text
            used += 1 + length(text)
        }
        print ""
    }
}
