/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder of a sweep's result: whose files are in it, and how new ones get there.
 *
 * Its manifest is sealed (core/sealed.h) and names the files that belong to it, with the content
 * hashes of those that are read back. Only files that it names are replaced or removed: by name and
 * not by content, so that edited or damaged ones can be; a folder without a manifest has none of
 * ours. All of a result appear together (core/file_set.h). */
#ifndef BANDSCAPE_REPORT_SWEEP_FOLDER_H
#define BANDSCAPE_REPORT_SWEEP_FOLDER_H

#include <stdbool.h>

#include "core/file_set.h"

struct csv;           /* core/csv.h */
struct yaml_document; /* yaml/yaml.h */

struct sweep_file {
    char *name;
    char hash[HASH_TEXT];  /* pictures: "" */
    struct text unwritten; /* a picture until it is published */
};

/* A result on its way into its folder. */
struct sweep_folder {
    struct file_set *set;
    struct sweep_files {
        struct sweep_file *items;
        size_t count, capacity;
    } files; /* of the result, in the order in which they were made */
};

struct sweep_folder *sweep_folder_create(const char *path);
void sweep_folder_destroy(struct sweep_folder *folder); /* what is not published is gone */

/* Whose result is to come into a folder. */
struct sweep_claim {
    const char *space; /* its name */
    bool force;        /* in the place of what would be refused */
    bool found;        /* by a search: it does not know all points */
};

/* Unless `force`, refuses a folder that holds the result of another space, or that of all points
 * where it would make room for what was found; always a file of one of those names that is not of a
 * sweep. */
int sweep_folder_claim(const char *path, const struct sweep_claim *claim, char *const *names,
                       size_t count, struct error *error);

/* One more file (several open: core/file_set.h); the first line of each manifest; a picture, whose
 * text is taken over. */
#define SWEEP_MANIFEST_HEAD "# What determines this result; the last line is a checksum.\n"
int sweep_folder_open(struct sweep_folder *folder, const char *name, FILE **stream,
                      struct error *error);
int sweep_folder_close(struct sweep_folder *folder, int status, struct error *error);
void sweep_folder_picture(struct sweep_folder *folder, const char *name, struct text *picture);

/* The manifest's part about files. */
void sweep_folder_print(const struct sweep_folder *folder, struct text *manifest);

/* All that was added since the last time, run.yaml and the manifest, which is sealed here, get
 * their names. Files of an earlier result that this one does not have are removed. */
int sweep_folder_publish(struct sweep_folder *folder, struct text *manifest, const struct text *run,
                         struct error *error);

/* --- reading --------------------------------------------------------------------------- */

/* The manifest of a folder that is to be read; one without is the result of no sweep. */
int sweep_folder_result(const char *folder, struct yaml_document **out, struct error *error);
/* A table of it, which must be as the sweep wrote it. */
int sweep_folder_table(const char *path, const struct yaml_document *manifest, struct csv **out,
                       struct error *error);

/* Whether the file is as the sweep wrote it; true also when the manifest does not say. */
bool sweep_folder_is_intact(const struct yaml_document *manifest, const char *path);

/* A single file of a result may be edited, which is a remark. *manifest: the one beside it, or
 * NULL; the caller's to destroy. */
void sweep_folder_tell(const char *path, struct yaml_document **manifest);

#endif
