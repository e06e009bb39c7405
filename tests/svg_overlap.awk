# SPDX-License-Identifier: GPL-3.0-or-later
# Texts of an SVG by gnuplot that overlap or leave the picture, one line each. A letter is taken to
# be 0.58 of its font's size wide, and a line 0.75 of it high above and 0.2 below where it stands.

function number_behind(text, words,    at) {
    at = index(text, words)
    return at ? substr(text, at + length(words)) + 0 : 0
}

# Keeps the four corners of a text.
function keep(group, words,    size, width, left, angle, c, s, i, x, y, lx, ly) {
    gsub(/&[a-z]+;/, "x", words)
    gsub(/[\200-\277]/, "", words) # of a character in UTF-8 all bytes but the first
    sub(/ +$/, "", words)
    if (words == "")
        return
    size = number_behind(group, "font-size=\"")
    width = 0.58 * size * length(words)
    left = index(group, "text-anchor=\"middle\"") ? -width / 2 : index(group, "text-anchor=\"end\"") ? -width : 0
    x = number_behind(group, "translate(")
    match(group, /translate\([-0-9.]+,/)
    y = substr(group, RSTART + RLENGTH) + 0
    angle = number_behind(group, "rotate(") * atan2(0, -1) / 180
    c = cos(angle); s = sin(angle)
    count++
    text[count] = words
    for (i = 0; i < 4; i++) {
        lx = left + (i == 1 || i == 2 ? width : 0)
        ly = i < 2 ? -0.75 * size : 0.2 * size
        px[count, i] = x + c * lx - s * ly
        py[count, i] = y + s * lx + c * ly
    }
}

# Whether a line between two boxes is along a side of the first: all of one lies beyond the other.
function apart(a, b,    side, nx, ny, i, d, most, least) {
    for (side = 0; side < 4; side++) {
        nx = py[a, (side + 1) % 4] - py[a, side]
        ny = px[a, side] - px[a, (side + 1) % 4]
        d = sqrt(nx * nx + ny * ny)
        least = 1e9
        for (i = 0; i < 4; i++) {
            most = ((px[b, i] - px[a, side]) * nx + (py[b, i] - py[a, side]) * ny) / d
            if (most < least)
                least = most
        }
        if (least > -0.6)
            return 1
    }
    return 0
}

/<svg/ || /viewBox/ {
    if (match($0, /viewBox="0 0 [0-9.]+ [0-9.]+/)) {
        split(substr($0, RSTART + 13, RLENGTH - 13), wide, " ")
    }
}
/font-size=/ && /<g transform=/ {
    group = substr($0, index($0, "<g transform="))
}
/<text>/ {
    words = substr($0, index($0, "<text>"))
    gsub(/<[^>]*>/, "", words)
    keep(group, words)
}
END {
    if (!wide[1] || !count)
        print "no picture with text"
    for (a = 1; a <= count; a++) {
        for (i = 0; i < 4; i++)
            if (px[a, i] < -2 || px[a, i] > wide[1] + 2 || py[a, i] < -2 || py[a, i] > wide[2] + 2) {
                print "outside: " text[a]
                break
            }
        for (b = a + 1; b <= count; b++)
            # One on a white ground is written twice.
            if (!(text[a] == text[b] && px[a, 0] == px[b, 0] && py[a, 0] == py[b, 0]) &&
                !apart(a, b) && !apart(b, a))
                print "\"" text[a] "\" meets \"" text[b] "\""
    }
}
