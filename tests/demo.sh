#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The main job from end to end: profile the shipped workloads on a 4-chip GPU,
# sweep two design spaces, rank them, draw them.
set -eu
cd "$(dirname "$0")/.."
echo "== What does SAC's 4-chip GPU deliver to bfs, under each organisation of its LLC?"
./bandscape whatif --machine sac --workload bfs
echo
echo "== Sensitivity: links, LLC, memory and organisation"
./bandscape sweep sac-sensitivity
echo
echo "== A budget: 40 320 designs, bandwidth against cost"
./bandscape sweep sac-budget
echo
echo "Open results/sac-sensitivity/curve-inter.link_bandwidth.png and results/sac-budget/pareto.png."
