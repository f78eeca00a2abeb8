// The folders that tests read, as this build was configured.
#pragma once

namespace tarry::paths {

extern const char* const kGames;      // tests/golden/games
extern const char* const kPartition;  // tests/golden/partition
extern const char* const kExamples;   // examples
extern const char* const kDeploy;     // deploy
extern const char* const kData;       // shared/data beside the source tree, which need not be there

}  // namespace tarry::paths
