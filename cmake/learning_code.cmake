# Makes the hash of the sources that decide the results of runs, and a C++ source that holds it.
#
# Included, it gives tarry_hash_learning_code(TARGET). As a script it does the work:
#   cmake -D SOURCE=src/tarry -D CPP=out.cpp -P cmake/learning_code.cmake

# All of the library but what shows results (the program, summaries, reports) and `tarry verify`, which keeps none.
function(tarry_learning_code source result)
  file(GLOB_RECURSE parts RELATIVE ${source} ${ARGN} ${source}/*.cpp ${source}/*.h)
  list(FILTER parts EXCLUDE REGEX "(^|/)cli/|(^|/)(summary|growth|leaderboard|report|report_template|verify[a-z_]*|climb[a-z_]*)[.](cpp|h)$")
  list(SORT parts)
  set(${result} ${parts} PARENT_SCOPE)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(TARRY_LEARNING_CODE ${CMAKE_CURRENT_LIST_FILE})

  # Adds the generated source to TARGET; made again whenever one of those sources changes, comes or goes.
  function(tarry_hash_learning_code target)
    set(source ${PROJECT_SOURCE_DIR}/src/tarry)
    set(cpp ${CMAKE_BINARY_DIR}/generated/learning_code.cpp)
    tarry_learning_code(${source} parts CONFIGURE_DEPENDS)
    list(TRANSFORM parts PREPEND ${source}/)
    add_custom_command(OUTPUT ${cpp}
      COMMAND ${CMAKE_COMMAND} -D SOURCE=${source} -D CPP=${cpp} -P ${TARRY_LEARNING_CODE}
      DEPENDS ${parts} ${TARRY_LEARNING_CODE}
      COMMENT "Hashing the learning code" VERBATIM)
    target_sources(${target} PRIVATE ${cpp})
  endfunction()
  return()
endif()

tarry_learning_code(${SOURCE} parts)
set(hashes "")
foreach(part IN LISTS parts)
  file(SHA256 ${SOURCE}/${part} hash)
  string(APPEND hashes "${part} ${hash}\n")
endforeach()
string(SHA256 hash "${hashes}")
file(WRITE ${CPP} "// Made by cmake/learning_code.cmake; do not edit.
#include \"tarry/lab/experiment/learning_code.h\"

namespace tarry::lab {
const std::string_view kLearningCode = \"${hash}\";
}  // namespace tarry::lab
")
