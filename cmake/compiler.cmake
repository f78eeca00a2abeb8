# Flags that every target shares. Floating point is the same on every CPU: no contraction, no fast-math.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE AND NOT TARRY_SANITIZE)  # the sanitizers' presets bring their own flags
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3")  # assertions stay on: they are few and outside the hot loops

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -ffp-contract=off)
add_compile_definitions(EIGEN_NO_CPUID)  # or Eigen cuts its products, and so adds them up, by the size of the CPU's caches
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of GCC 12 inside {fmt} 9 and its own standard library.
  add_compile_options(-Wno-stringop-overflow -Wno-array-bounds -Wno-free-nonheap-object -Wno-restrict)
endif()
# Later compilers have warnings, and false alarms, that nobody has seen here yet.
if(TARRY_WERROR AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13))
  add_compile_options(-Werror)
endif()

set(TARRY_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")
if(TARRY_SANITIZE)
  add_compile_options(-fsanitize=${TARRY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)  # instrumented code confuses this warning of GCC 12
  else()
    add_compile_options(-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/sanitizer_ignore.txt)
  endif()
  add_link_options(-fsanitize=${TARRY_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The sloppiness is what ccache asks for before it keeps files that use precompiled headers; with paths counted from the
  # checkout, all checkouts of one machine share their objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
                                  CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true ${CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  else()
    add_compile_options(-Xclang -fno-pch-timestamp)
  endif()
endif()
