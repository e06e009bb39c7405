/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BANDSCAPE_CORE_VERSION_H
#define BANDSCAPE_CORE_VERSION_H

#define BANDSCAPE_VERSION "0.1.0"

#endif
