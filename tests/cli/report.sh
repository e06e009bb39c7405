#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bandscape report: what the page says and refuses; where there is a Chromium, what a browser makes
# of it: no error, sorting, details of points, widths, paper.
. tests/cli/common.sh.inc
cd "$scratch" || exit 1
cat >hand.yaml <<'EOF'
profile: hand
points:
  - {name: one, r_local: 0.7, bytes: 3 MB, llc_hit: {memory-side: 0.8, sm-side: 0.5}, lsu: {memory-side: 0.9, sm-side: 1.0}}
  - {name: two, r_local: 0.2, bytes: 1 MB, llc_hit: {memory-side: 0.3, sm-side: 0.6}, lsu: {memory-side: 0.6, sm-side: 0.7}}
EOF
cat >space.yaml <<'EOF'
space: links
summary: 'how <b>wide</b> & "how far"?'
machine: sac
workloads: [hand.yaml]
models: [eab, bottleneck]
axes:
  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, points: 12}
  memory:
    gddr5: {memory.bandwidth: 218.75 GB/s}
    hbm2: {memory.bandwidth: 875 GB/s}
  llc.organisation: [memory-side, sm-side]
let: {half: "inter.link_bandwidth / 2"}
where: ["inter.link_bandwidth < 500 GB/s"]
objectives: [{maximise: effective_bandwidth}, {minimise: inter.link_bandwidth}]
EOF
"$binary" sweep space.yaml -o result --no-plots >out 2>err || cat err
page=result/report.html
has() { grep -qF -- "$1" "$page"; }
hasnt() { ! grep -qF -- "$1" "$page"; }

ok "a page beside the files" sh -c '[ "$("$1" report result)" = result/report.html ] && [ -s result/report.html ]' - "$binary"
ok "it says what was asked" has '<dd><code>inter.link_bandwidth &#60; 500 GB/s</code></dd>'
ok "and escapes it" has 'how &#60;b&#62;wide&#60;/b&#62; &#38; &#34;how far&#34;?'
ok "nowhere else is it raw" hasnt '<b>wide'
value() { # of the first row of a column
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == 2 { print $c; exit }' "$1"
}
best=$(value result/ranking.csv inter.link_bandwidth)
ok "the best point is the ranking's first" has "<tr id=\"rank-1\"><td class=\"n\" data-value=\"1\">1</td><td class=\"n\" data-value=\"$best\">"
front=$(($(wc -l <result/pareto.csv) - 1))
points() { [ "$(grep -c '<a class="point" href="#front-' "$page")" = $front ] && [ "$(grep -c '<tr id="front-' "$page")" = $front ]; }
ok "each point of the front is in the picture and in the table" points
anchors() { # each link leads to something that is there once
    grep -o 'href="#[^"]*"' "$page" | sort -u | sed 's/.*#//; s/"//' >targets
    [ "$(wc -l <targets)" -gt $front ] || return 1
    while read -r id; do [ "$(grep -c "id=\"$id\"" "$page")" = 1 ] || { echo "$id"; return 1; }; done <targets
}
ok "links lead somewhere" anchors
ok "each point has all its values" sh -c '[ "$(grep -c "^half: " result/report.html)" = $(($1 + 1)) ]' - "$front"
ok "marginals are there" has '<caption>inter.link_bandwidth</caption>'
ok "limits are" has "<td>hand</td><td>$(value result/limits.csv resource)</td>"
ok "what limits the first is in the answer" has "What limits it first: <b>$(value result/limits.csv resource)</b> (hand)."
sed 's/^let/rank: {by: inter.link_bandwidth}\nlet/' space.yaml >least.yaml
by_axis() {
    "$binary" sweep least.yaml -o least --no-plots >summary 2>err && ! grep 'hardly matters' summary && "$binary" report least &&
        grep -qE '^<p>It has <b>[0-9.]+ [GT]B/s</b> of effective_bandwidth.</p>$' least/report.html
}
ok "ranked by an axis: what the first has of the other objectives, and of no axis that it hardly matters" by_axis
marginal=$(awk -F, '$1 == "memory" && $2 == "hbm2" { print $4 "\">" $4 "</td><td class=\"n\" data-value=\"" $5 }' result/marginals.csv)
ok "the best of a value of an axis, with its points" has "<th scope=\"row\">hbm2</th><td class=\"n\" data-value=\"$marginal\">"
ok "what the ranking does not show, too" sh -c 'sed -n "s/^  - \"\(eab (.*\)\"$/\1/p" result/manifest.yaml >remark && [ -s remark ] && grep -qFf remark result/report.html'
ok "points that are not in the result are counted" has '<li>where: inter.link_bandwidth &#60; 500 GB/s (4 points)</li>'
ok "nothing is fetched" sh -c '! grep -Ei "(src|href)=\"[^#]|@import|url\(" result/report.html'
ok "hashes are the manifest's" has "$(sed -n 's/^space_hash: //p' result/manifest.yaml)"

same() {
    "$binary" report result -o again.html >/dev/null && cmp result/report.html again.html &&
        "$binary" report result/ -o - >stdout.html && cmp result/report.html stdout.html
}
ok "the same bytes again" same
threads() {
    for n in 1 3; do
        "$binary" sweep space.yaml -o there --no-plots -j $n --force >/dev/null 2>&1 && "$binary" report there -o $n.html >/dev/null || return 1
    done
    cmp 1.html 3.html
}
ok "and for any number of threads" threads
ok "a title" sh -c '"$1" report result --title "Links </title> or caches?" -o - | grep -qF "<h1>Links &#60;/title&#62; or caches?</h1>"' - "$binary"
ok "sweeping again leaves the page" sh -c '"$1" sweep space.yaml -o result --no-plots >out 2>err && [ -s result/report.html ]' - "$binary"

one() { # no objectives, one model, no point of two axes
    printf 'space: one\nmachine: sac\nworkloads: [hand.yaml]\nmodels: [eab]\ndesign: one-at-a-time\naxes: {memory.bandwidth: [1 TB/s, 2 TB/s]}\nrank: {by: kernel_time}\n' >one.yaml
    "$binary" sweep one.yaml -o one --no-plots >out 2>err && "$binary" report one >/dev/null && page=one/report.html && has "No picture" && has "One model was asked"
}
ok "one axis and one model" one
none() { # its sweep fails, and leaves files that say why
    sed 's/500 GB/1 GB/' space.yaml >none.yaml
    "$binary" sweep none.yaml -o none --no-plots >out 2>err
    "$binary" report none >/dev/null && page=none/report.html && has "No point is left"
}
ok "no point" none
earlier() { # of a version that did not keep them; its manifest is without a seal
    cp -r result old && rm old/marginals.csv old/limits.csv old/report.html old/sample.csv
    sed -e '1s/.*/# What determines this result. By hand./' -e '/^axes:/,/^points:/{/^points:/!d}' -e '/^# sealed/d' -e '/sample.csv\|marginals.csv\|limits.csv/d' result/manifest.yaml >old/manifest.yaml
    "$binary" report old >/dev/null && page=old/report.html && has '<h2>Ranking</h2>' && hasnt '<h2>What the axes do</h2>' && hasnt '#axes'
}
ok "a result of an earlier version" earlier
simulated() {
    "$binary" sweep sac-sensitivity -w gemm:ni=64,nj=64,nk=32 --model eab -o confirmed --confirm 1 --requests 2000 --no-plots >out 2>err &&
        "$binary" report confirmed >/dev/null && page=confirmed/report.html && has 'Simulations of the best points' && has 'eab.<wbr>error</th>'
}
ok "simulations" simulated

fails "a page by the name of a document" "pages are HTML; page.pdf ends in .pdf" "$binary" report result -o page.pdf
fails "says what makes one of it" "print-to-pdf=page.pdf page.html" "$binary" report result -o page.pdf
fails "of something else" "ends in .md" "$binary" report result -o page.md
ok "neither is there" sh -c '! ls page.*'
ok "no ending is one, too" sh -c 'mkdir v1.0 && "$1" report result -o v1.0/page && rm -r v1.0' - "$binary"
fails "a folder that is none" "nowhere is not the result of a sweep" "$binary" report nowhere
mkdir -p outer && cp -r result outer/inner
fails "a folder of results" "results are in outer/inner" "$binary" report outer
fails "a file" "not the result of a sweep" "$binary" report result/ranking.csv
fails "two folders" "expected one folder" "$binary" report result result
cp -r result edited && sed -i '2s/hbm2/hbm3/' edited/ranking.csv
fails "a file that was changed" "edited/ranking.csv is not as the sweep wrote it" "$binary" report edited
cp -r result cut && sed -i '/^design/d' cut/manifest.yaml
fails "a damaged manifest" "cut/manifest.yaml is damaged" "$binary" report cut
cp -r result lost && rm lost/pareto.csv
fails "a file that is not there" "lost/pareto.csv" "$binary" report lost
echo mine >mine.html
fails "a file of somebody else" "mine.html is there, and is no page of bandscape report" "$binary" report result -o mine.html
ok "which stays" grep -qx mine mine.html
fails "a folder to write to" "outer is a folder" "$binary" report result -o outer
rm -f result/report.html
unwritable() { "$binary" report result -o nowhere/at/all.html >out 2>err; [ $? = 1 ] && [ ! -e nowhere ] && grep -q "error: .*nowhere/at/all.html" err; }
ok "a place that is not there" unwritable

# --- in a browser ----------------------------------------------------------------------------
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || :)
if [ -z "$browser" ]; then
    skip "the page in a browser" "there is no Chromium (make deps-long)"
    finish
    exit
fi
$thorough || { skip "the page in a browser" "with the release build"; finish; exit; }
"$binary" report result >/dev/null 2>&1
browse() { # width options... page
    width=$1
    shift
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr \
        --user-data-dir="$scratch/browser" --window-size="$width,900" --virtual-time-budget=2000 "$@" 2>log
}
# A copy of the page with a script behind it, which leaves what it found as attributes.
cat >script.html <<'EOF'
<script>
(function () {
  var said = document.createElement('p'), shown;
  function say(name, value) { said.setAttribute('data-' + name, value); }
  function column(table, c) { return Array.from(table.tBodies[0].rows).map(function (r) { return r.cells[c].textContent; }); }
  document.body.appendChild(said);
  var ranking = document.querySelector('#ranking table'), heads = ranking.tHead.rows[0].cells;
  var before = column(ranking, 0).map(Number);
  heads[0].querySelector('[role=button]').click();
  heads[0].querySelector('[role=button]').click();
  var down = column(ranking, 0).map(Number);
  say('sort', heads[0].getAttribute('aria-sort'));
  say('reversed', String(before.slice().reverse()) === String(down));
  heads[2].querySelector('[role=button]').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
  var names = column(ranking, 2);
  say('names', String(names) === String(names.slice().sort()) && names[0] !== names[names.length - 1]);
  say('marks', document.querySelectorAll('#ranking [aria-sort]').length);
  heads[1].querySelector('[role=button]').click();
  var numbers = Array.from(ranking.tBodies[0].rows).map(function (r) { return Number(r.cells[1].dataset.value); });
  say('numbers', numbers.every(function (x, i) { return i === 0 || numbers[i - 1] <= x; }) && numbers[0] < numbers[numbers.length - 1]);
  var detail = document.getElementById('front-detail'), point = document.querySelectorAll('#front-picture .point')[1];
  say('hidden', getComputedStyle(detail).display);
  point.dispatchEvent(new MouseEvent('mouseenter'));
  shown = detail.textContent.split('\n');
  say('detail', shown[0] + '; ' + shown.filter(function (l) { return /^(half|memory): /.test(l); }).length);
  say('visible', getComputedStyle(detail).display !== 'none' && detail.getBoundingClientRect().height > 20);
  say('wide', document.documentElement.scrollWidth - window.innerWidth);
  var boxes = Array.from(document.querySelectorAll('#front-picture text')).map(function (t) { return t.getBoundingClientRect(); });
  var over = 0;
  boxes.forEach(function (a, i) {
    boxes.slice(i + 1).forEach(function (b) {
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) over++;
    });
  });
  say('texts', boxes.length > 6);
  say('over', over);
})();
</script>
EOF
cat result/report.html script.html >tried.html
for width in 1200 500; do
    browse $width --dump-dom "file://$scratch/tried.html" >dom
    grep -o '<p data-sort=.*' dom | tr ' ' '\n' >attributes
    attribute() { # name value
        grep -qF "data-$1=\"$2\"" dom
    }
    ok "a page $width wide has no error" sh -c '[ -s dom ] && ! grep CONSOLE log'
    ok "$width: no wider than the window" sh -c 'sed -n "s/.*data-wide=\"\([-0-9]*\)\".*/\1/p" dom >wide && [ -s wide ] && [ "$(cat wide)" -le 0 ]'
    ok "$width: texts of the picture do not overlap" sh -c 'grep -q "data-texts=\"true\"" dom && grep -q "data-over=\"0\"" dom'
done
ok "a click on a title sorts, another one the other way" sh -c 'grep -q "data-sort=\"descending\"" dom && grep -q "data-reversed=\"true\"" dom'
ok "names are sorted, too" attribute names true
ok "numbers by their values" attribute numbers true
ok "one title has the mark" attribute marks 1
ok "values of points are hidden at first" attribute hidden none
ok "and shown where one is pointed at" sh -c 'grep -q "data-detail=\"point 2 of the front; 2\"" dom && grep -q "data-visible=\"true\"" dom'
broken() { # the check can fail
    sed 's/.use strict.;/nowhere();/' tried.html >broken.html
    browse 1200 --dump-dom "file://$scratch/broken.html" >dom && grep -q 'CONSOLE.*nowhere is not defined' log
}
ok "an error of the page would be seen" broken
paper() {
    browse 1200 --no-pdf-header-footer --print-to-pdf="$scratch/page.pdf" "file://$scratch/result/report.html" >/dev/null
    [ "$(head -c 5 page.pdf)" = %PDF- ] && pages=$(grep -ac '/Type */Page$' page.pdf) && echo "$pages pages" && [ "$pages" -ge 2 ] && [ "$pages" -le 12 ]
}
ok "it prints" paper
finish
