/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose files are in a result's folder, and publishing new ones. */
#include "report/sweep_folder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/csv.h"
#include "core/remark.h"
#include "core/sealed.h"
#include "core/unit.h"
#include "core/version.h"
#include "yaml/yaml.h"

/* The first line before manifests had seals. */
static const char old_head[] = "# What determines this result. ";

/* --- what is there ------------------------------------------------------------------------- */

enum manifest_kind {
    MANIFEST_NONE,
    MANIFEST_FOREIGN,
    MANIFEST_DAMAGED,
    MANIFEST_OLD,
    MANIFEST_OURS
};

/* *out: its tree, unless it cannot be parsed. */
static enum manifest_kind manifest_read(const char *path, struct yaml_document **out)
{
    char *text;
    size_t size;
    struct error ignored;
    enum manifest_kind kind = MANIFEST_FOREIGN;
    *out = NULL;
    if (!file_exists(path))
        return MANIFEST_NONE;
    if (file_read(path, SIZE_MAX / 2, &text, &size, &ignored))
        return MANIFEST_FOREIGN;
    if (strncmp(text, SWEEP_MANIFEST_HEAD, strlen(SWEEP_MANIFEST_HEAD)) == 0)
        kind = sealed_check(text, &size) ? MANIFEST_OURS : MANIFEST_DAMAGED;
    else if (strncmp(text, old_head, strlen(old_head)) == 0)
        kind = MANIFEST_OLD;
    if (yaml_parse(path, text, size, out, &ignored) && kind != MANIFEST_FOREIGN)
        kind = MANIFEST_DAMAGED;
    free(text);
    return kind;
}

static char *manifest_path(const char *folder)
{
    struct text path = {0};
    text_printf(&path, "%s/manifest.yaml", folder);
    return path.data;
}

/* Its list of files or of pictures; NULL: none. */
static const struct yaml_node *manifest_list(const struct yaml_document *manifest, const char *key,
                                             enum yaml_kind kind)
{
    const struct yaml_node *root = manifest ? manifest->root : NULL;
    const struct yaml_node *list = root && root->kind == YAML_MAP ? yaml_get(root, key) : NULL;
    return list && list->kind == kind ? list : NULL;
}

/* Whether the result there has a file of that name. What an old or a damaged manifest does not
 * tell is taken for the sweep's. */
static bool manifest_has(enum manifest_kind kind, const struct yaml_document *manifest,
                         const char *name)
{
    const struct yaml_node *files = manifest_list(manifest, "files", YAML_MAP);
    const struct yaml_node *pictures = manifest_list(manifest, "pictures", YAML_LIST);
    if (kind == MANIFEST_NONE || kind == MANIFEST_FOREIGN)
        return false;
    if (kind != MANIFEST_OURS || strcmp(name, "manifest.yaml") == 0 ||
        strcmp(name, "run.yaml") == 0 || (files && yaml_get(files, name)))
        return true;
    for (size_t i = 0; pictures && i < pictures->count; i++)
        if (pictures->items[i]->kind == YAML_SCALAR && strcmp(pictures->items[i]->text, name) == 0)
            return true;
    return false;
}

static int check_free(const char *folder, const char *name, enum manifest_kind kind,
                      const struct yaml_document *manifest, struct error *error)
{
    struct text path = {0};
    int status = 0;
    text_printf(&path, "%s/%s", folder, name);
    if (file_exists(path.data) && !manifest_has(kind, manifest, name)) {
        status = error_set(error, STATUS_INPUT,
                           "%s is no file of an earlier sweep: it is not replaced", path.data);
        error_hint(error, "choose another folder with -o, or move the file away");
    }
    text_free(&path);
    return status;
}

/* What stands there is of another space, or better. */
static int check_result(const char *path, const struct sweep_claim *claim,
                        const struct yaml_document *manifest, struct error *error)
{
    const struct yaml_node *root = manifest ? manifest->root : NULL;
    const struct yaml_node *name = root && root->kind == YAML_MAP ? yaml_get(root, "space") : NULL;
    if (claim->force || !name || name->kind != YAML_SCALAR)
        return 0;
    if (strcmp(name->text, claim->space) != 0) {
        error_set(error, STATUS_INPUT, "%s holds the result of space %s", path, name->text);
        return error_hint(error, "choose another folder with -o, or --force to replace it");
    }
    if (claim->found && !yaml_get(root, "found")) {
        error_set(error, STATUS_INPUT, "%s holds the result of all points of space %s", path,
                  name->text);
        return error_hint(error, "choose another folder with -o, or --force to replace it by what "
                                 "a search finds");
    }
    return 0;
}

int sweep_folder_claim(const char *path, const struct sweep_claim *claim, char *const *names,
                       size_t count, struct error *error)
{
    struct yaml_document *document = NULL;
    if (file_exists(path) && !file_is_directory(path))
        return error_set(error, STATUS_INPUT, "%s is not a folder", path);
    char *manifest = manifest_path(path);
    enum manifest_kind kind = manifest_read(manifest, &document);
    if (kind == MANIFEST_DAMAGED)
        remark("%s is damaged: it is made anew", manifest);
    int status = kind == MANIFEST_FOREIGN ? 0 : check_result(path, claim, document, error);
    for (size_t i = 0; i < count && !status; i++)
        status = check_free(path, names[i], kind, document, error);
    yaml_destroy(document);
    free(manifest);
    return status;
}

/* --- writing ------------------------------------------------------------------------------- */

struct sweep_folder *sweep_folder_create(const char *path)
{
    struct sweep_folder *folder = memory_zero(1, sizeof *folder);
    folder->set = file_set_create(path);
    return folder;
}

void sweep_folder_destroy(struct sweep_folder *folder)
{
    if (!folder)
        return;
    file_set_destroy(folder->set);
    for (size_t i = 0; i < folder->files.count; i++) {
        free(folder->files.items[i].name);
        text_free(&folder->files.items[i].unwritten);
    }
    VECTOR_FREE(&folder->files);
    free(folder);
}

int sweep_folder_open(struct sweep_folder *folder, const char *name, FILE **stream,
                      struct error *error)
{
    return file_set_open(folder->set, name, stream, error);
}

int sweep_folder_close(struct sweep_folder *folder, int status, struct error *error)
{
    const struct file_set_entry *entry = file_set_opened(folder->set);
    status = file_set_close(folder->set, status, error);
    if (status)
        return status;
    struct sweep_file file = {.name = memory_strdup(entry->name)};
    memcpy(file.hash, entry->hash, sizeof file.hash);
    VECTOR_PUSH(&folder->files, file);
    return 0;
}

void sweep_folder_picture(struct sweep_folder *folder, const char *name, struct text *picture)
{
    VECTOR_PUSH(&folder->files,
                ((struct sweep_file){.name = memory_strdup(name), .unwritten = *picture}));
    *picture = (struct text){0};
}

void sweep_folder_print(const struct sweep_folder *folder, struct text *manifest)
{
    const char *before = "";
    text_append(manifest, "files:\n");
    for (size_t i = 0; i < folder->files.count; i++)
        if (folder->files.items[i].hash[0])
            text_printf(manifest, "  %s: %s\n", folder->files.items[i].name,
                        folder->files.items[i].hash);
    text_append(manifest, "pictures: [");
    for (size_t i = 0; i < folder->files.count; i++) {
        if (folder->files.items[i].hash[0])
            continue;
        text_append(manifest, before);
        yaml_append_scalar(manifest, folder->files.items[i].name);
        before = ", ";
    }
    text_append(manifest, "]\n");
}

static bool folder_has(const struct sweep_folder *folder, const char *name)
{
    for (size_t i = 0; i < folder->files.count; i++)
        if (strcmp(folder->files.items[i].name, name) == 0)
            return true;
    return false;
}

static void replace_one(struct sweep_folder *folder, const char *name)
{
    if (!folder_has(folder, name) && !strchr(name, '/'))
        file_set_replaces(folder->set, name);
}

/* What the folder holds of a result and this one has not. */
static void folder_replace(struct sweep_folder *folder, enum manifest_kind kind,
                           const struct yaml_document *manifest)
{
    static const char *const always[] = {"points.csv", "columns.yaml", "s-curve.csv", "confirm.csv",
                                         NULL};
    const struct yaml_node *files = manifest_list(manifest, "files", YAML_MAP);
    const struct yaml_node *pictures = manifest_list(manifest, "pictures", YAML_LIST);
    if (kind == MANIFEST_OLD || kind == MANIFEST_DAMAGED)
        for (size_t i = 0; always[i]; i++)
            replace_one(folder, always[i]);
    if (kind != MANIFEST_OURS)
        return;
    for (size_t i = 0; files && i < files->count; i++)
        replace_one(folder, files->keys[i]->text);
    for (size_t i = 0; pictures && i < pictures->count; i++)
        if (pictures->items[i]->kind == YAML_SCALAR)
            replace_one(folder, pictures->items[i]->text);
}

/* Another program may have written there since the folder was claimed. */
static int folder_check(struct sweep_folder *folder, struct error *error)
{
    struct yaml_document *document;
    char *path = manifest_path(folder->set->folder);
    enum manifest_kind kind = manifest_read(path, &document);
    int status = check_free(folder->set->folder, "manifest.yaml", kind, document, error);
    if (!status)
        status = check_free(folder->set->folder, "run.yaml", kind, document, error);
    for (size_t i = 0; i < folder->files.count && !status; i++)
        status =
            check_free(folder->set->folder, folder->files.items[i].name, kind, document, error);
    if (!status)
        folder_replace(folder, kind, document);
    yaml_destroy(document);
    free(path);
    return status;
}

int sweep_folder_publish(struct sweep_folder *folder, struct text *manifest, const struct text *run,
                         struct error *error)
{
    int status = folder_check(folder, error);
    for (size_t i = 0; i < folder->files.count && !status; i++) {
        struct sweep_file *file = &folder->files.items[i];
        if (file->unwritten.length)
            status = file_set_write(folder->set, file->name, file->unwritten.data,
                                    file->unwritten.length, error);
        text_free(&file->unwritten);
    }
    if (!status)
        status = file_set_write(folder->set, "run.yaml", run->data, run->length, error);
    sealed_append(manifest);
    if (!status)
        status =
            file_set_write(folder->set, "manifest.yaml", manifest->data, manifest->length, error);
    return status ? status : file_set_publish(folder->set, error);
}

/* --- reading ------------------------------------------------------------------------------- */

/* The manifest of a folder or beside a file; one that is damaged is an error. Those of earlier
 * versions, and by hand, have no seal. */
static int sweep_folder_manifest(const char *path, struct yaml_document **out, struct error *error)
{
    enum manifest_kind kind = manifest_read(path, out);
    if (kind == MANIFEST_DAMAGED) {
        error_set(error, STATUS_INPUT, "%s is damaged: its checksum does not fit", path);
        error_hint(error, "sweep the space again");
    } else if (!*out) {
        return yaml_load(path, out, error); /* says why not */
    } else if ((*out)->root->kind != YAML_MAP || (*out)->root->count == 0) {
        error_set(error, STATUS_INPUT, "%s is not of a sweep", path);
    } else {
        return 0;
    }
    yaml_destroy(*out);
    *out = NULL;
    return STATUS_INPUT;
}

/* Folders of a sweep that are in a folder: "a, b, ..."; false: none. */
static bool inner_results(const char *folder, struct text *out)
{
    enum { NAMED = 3 };
    char **names;
    size_t count = file_list(folder, &names), found = 0;
    for (size_t i = 0; i < count; i++) {
        struct text path = {0};
        text_printf(&path, "%s/%s/manifest.yaml", folder, names[i]);
        if (file_exists(path.data) && found++ < NAMED)
            text_printf(out, "%s%s/%s", found > 1 ? ", " : "", folder, names[i]);
        text_free(&path);
        free(names[i]);
    }
    free(names);
    if (found > NAMED)
        text_append(out, ", ...");
    return found > 0;
}

/* Has it a file of what a sweep found so far, of a name that begins so? */
static bool has_state(const char *folder, const char *begin)
{
    char **names;
    size_t count = file_list(folder, &names);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found = found ||
                (strncmp(names[i], begin, strlen(begin)) == 0 && file_ends_in(names[i], ".state"));
        free(names[i]);
    }
    free(names);
    return found;
}

/* A later version may mean something else by the same names. */
static int check_schema(const char *path, const struct yaml_document *manifest, struct error *error)
{
    const struct yaml_node *schema = yaml_get(manifest->root, "schema");
    double number;
    if (!schema || schema->kind != YAML_SCALAR || !number_scan(schema->text, &number) ||
        number <= BANDSCAPE_SCHEMA)
        return 0;
    error_set(error, STATUS_INPUT, "%s is of schema %.20s, and this version reads up to %d", path,
              schema->text, BANDSCAPE_SCHEMA);
    return error_hint(error, "read it with the version that wrote it, or sweep again");
}

int sweep_folder_result(const char *folder, struct yaml_document **out, struct error *error)
{
    char *path = manifest_path(folder);
    struct text inner = {0};
    int status;
    *out = NULL;
    if (file_exists(path)) {
        status = sweep_folder_manifest(path, out, error);
        if (!status && (status = check_schema(path, *out, error))) {
            yaml_destroy(*out);
            *out = NULL;
        }
    } else {
        status = error_set(error, STATUS_INPUT,
                           "%s is not the result of a sweep: it has no manifest.yaml", folder);
        if (has_state(folder, "shard-"))
            error_hint(error, "it has shares of a sweep: bandscape merge %s", folder);
        else if (has_state(folder, "unfinished"))
            error_hint(error, "it has a sweep that was ended: bandscape sweep with the same "
                              "options and --resume goes on with it");
        else if (inner_results(folder, &inner))
            error_hint(error, "results are in %s", inner.data);
    }
    text_free(&inner);
    free(path);
    return status;
}

int sweep_folder_table(const char *path, const struct yaml_document *manifest, struct csv **out,
                       struct error *error)
{
    if (!file_exists(path) || sweep_folder_is_intact(manifest, path))
        return csv_load(path, out, error);
    error_set(error, STATUS_INPUT, "%s is not as the sweep wrote it: its checksum does not fit",
              path);
    return error_hint(error, "sweep again; a file that you changed can be plotted by its own name");
}

bool sweep_folder_is_intact(const struct yaml_document *manifest, const char *path)
{
    char digits[HASH_TEXT];
    struct error ignored;
    const struct yaml_node *files = manifest_list(manifest, "files", YAML_MAP);
    const struct yaml_node *want = files ? yaml_get(files, file_base_name(path)) : NULL;
    if (!want || want->kind != YAML_SCALAR)
        return true;
    struct hash_content *hash = hash_content_begin();
    int status = hash_content_file(hash, path, &ignored);
    hash_content_end(hash, digits);
    return !status && strcmp(digits, want->text) == 0;
}

void sweep_folder_tell(const char *path, struct yaml_document **manifest)
{
    struct error ignored;
    char *name = file_beside(path, "manifest.yaml");
    *manifest = NULL;
    if (strcmp(path, "-") != 0 && file_exists(name) &&
        sweep_folder_manifest(name, manifest, &ignored) == 0 &&
        !sweep_folder_is_intact(*manifest, path))
        remark("%s is not as the sweep wrote it", path);
    free(name);
}
