// All that a program which embeds Tarry includes; it links tarry::core. The lab has headers of its own, in tarry/lab.
#pragma once

#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/registry.h"
#include "tarry/model/codec.h"
#include "tarry/model/explain.h"
#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/replay.h"
#include "tarry/model/reply.h"
#include "tarry/model/snapshot.h"
#include "tarry/model/snapshot_file.h"
#include "tarry/model/tasks.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "tarry/spec/toml.h"
