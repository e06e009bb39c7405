/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the model dcl1 answers, and its own parameters ("dcl1.design"). */
#ifndef BANDSCAPE_MODELS_DCL1_TABLES_H
#define BANDSCAPE_MODELS_DCL1_TABLES_H

#include "model/model.h"

extern const struct model_metric dcl1_metrics[];     /* ends with name NULL */
extern const struct parameter_row dcl1_parameters[]; /* ends with field NULL */

#endif
