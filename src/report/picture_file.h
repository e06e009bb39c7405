/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The description of a picture as a file, so that it can be drawn again, looking otherwise, when
 * what it was made from is gone: NAME.picture.yaml in the folder of a sweep. It is written and read
 * by the program, not by hand; numbers are the shortest that read back to the same. */
#ifndef BANDSCAPE_REPORT_PICTURE_FILE_H
#define BANDSCAPE_REPORT_PICTURE_FILE_H

#include "report/picture.h"

#define PICTURE_ENDING ".picture.yaml"

void picture_file_print(const struct picture *picture, struct text *out);
/* Begins a picture and fills it; picture_end releases it, also after an error. */
int picture_file_load(const char *path, struct picture *out, struct error *error);

#endif
