# Puts a page of web/ together: one HTML text that loads nothing, and a C++ source that holds it.
#
# web/PAGE has page.html, style.css and main.js. The script starts at main.js and follows `import {a, b} from './c.js';`; each
# module keeps its own scope, so that it sees what it imports and nothing else. The style follows `@import './c.css';` alike.
# Files that are not there, names that are not exported, and modules that import each other in a circle are errors.
#
# Debian's esbuild could follow the imports (some 75 lines of this file; the hashes, the compression and the source would stay), but
# every machine that builds Tarry would then fetch 5.4 MB and unpack 20 MB for it, and a page takes 0.04 s either way.
#
# Included, it gives tarry_embed_page(TARGET PAGE HEADER NAMESPACE SYMBOL). As a script it does the work:
#   cmake -D SOURCE=web/report [-D HTML=out.html] [-D CPP=out.cpp -D HEADER=… -D NAMESPACE=… -D SYMBOL=…] -P cmake/embed_page.cmake

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(TARRY_EMBED_PAGE ${CMAKE_CURRENT_LIST_FILE})

  # Adds the generated source to TARGET; made again whenever a file of the page changes, or of other pages named behind.
  function(tarry_embed_page target page header namespace symbol)
    set(source ${PROJECT_SOURCE_DIR}/web/${page})
    set(cpp ${CMAKE_BINARY_DIR}/generated/${page}_page.cpp)
    set(patterns ${source}/*.html)
    foreach(folder IN ITEMS ${page} shared ${ARGN})
      list(APPEND patterns ${PROJECT_SOURCE_DIR}/web/${folder}/*.css ${PROJECT_SOURCE_DIR}/web/${folder}/*.js)
    endforeach()
    file(GLOB parts CONFIGURE_DEPENDS ${patterns})
    add_custom_command(OUTPUT ${cpp}
      COMMAND ${CMAKE_COMMAND} -D SOURCE=${source} -D CPP=${cpp} -D HEADER=${header} -D NAMESPACE=${namespace}
        -D SYMBOL=${symbol} -P ${TARRY_EMBED_PAGE}
      DEPENDS ${parts} ${TARRY_EMBED_PAGE}
      COMMENT "Embedding web/${page}" VERBATIM)
    target_sources(${target} PRIVATE ${cpp})
  endfunction()
  return()
endif()

cmake_minimum_required(VERSION 3.20)

# The file that PATH means, seen from FROM; an error where there is none.
function(resolve from path out)
  cmake_path(GET from PARENT_PATH folder)
  cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY ${folder} NORMALIZE OUTPUT_VARIABLE file)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "embed_page: ${from} imports ${path}, which is not there")
  endif()
  set(${out} ${file} PARENT_SCOPE)
endfunction()

# The constant that holds what a module exports: the last folder and the name.
function(constant_of file out)
  string(REGEX REPLACE "^.*/([a-z_]+)/([a-z_]+)[.]js$" "\\1_\\2_js" name "${file}")
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# Appends a module to the global property SCRIPT, after all that it imports. TRAIL: the modules that led here.
function(add_module file trail)
  if("${file}" IN_LIST trail)
    list(APPEND trail "${file}")
    string(REPLACE ";" " -> " said "${trail}")
    message(FATAL_ERROR "embed_page: modules import each other in a circle: ${said}")
  endif()
  constant_of("${file}" constant)
  get_property(known GLOBAL PROPERTY EXPORTS_${constant} SET)
  if(known)
    return()
  endif()
  file(READ ${file} text)
  set(text "\n${text}")
  list(APPEND trail "${file}")
  string(REGEX MATCHALL "\nimport {[^}]*} from '[^']*'" imports "${text}")
  foreach(import IN LISTS imports)
    string(REGEX MATCH "{([^}]*)} from '([^']*)'" parts "${import}")
    set(path "${CMAKE_MATCH_2}")
    string(REGEX REPLACE "[ \n]+" "" names "${CMAKE_MATCH_1}")
    resolve("${file}" "${path}" other)
    add_module("${other}" "${trail}")
    constant_of("${other}" from)
    get_property(exported GLOBAL PROPERTY EXPORTS_${from})
    string(REGEX REPLACE ",$" "" names "${names}")
    string(REPLACE "," ";" each "${names}")
    foreach(name IN LISTS each)
      if(NOT "${name}" IN_LIST exported)
        message(FATAL_ERROR "embed_page: ${file} imports ${name}, which ${other} does not export")
      endif()
    endforeach()
    string(REPLACE "," ", " names "${names}")
    string(REPLACE "${import};" "\nconst {${names}} = ${from};" text "${text}")
  endforeach()
  set(exports "")
  set(declared "(async function|function|class|const) ([A-Za-z0-9_]+)")
  string(REGEX MATCHALL "\nexport ${declared}" found "${text}")
  foreach(export IN LISTS found)
    string(REGEX REPLACE "^.* " "" name "${export}")
    list(APPEND exports ${name})
  endforeach()
  string(REGEX REPLACE "\nexport ${declared}" "\n\\1 \\2" text "${text}")
  if("${text}" MATCHES "\n(import|export)[^A-Za-z0-9_][^\n]*")
    message(FATAL_ERROR "embed_page: ${file}: cannot read ${CMAKE_MATCH_0}\n(imports are `import {a, b} from './c.js';`, exports functions, classes and constants)")
  endif()
  set_property(GLOBAL PROPERTY EXPORTS_${constant} "${exports}")
  string(REPLACE ";" ", " returned "${exports}")
  set_property(GLOBAL APPEND_STRING PROPERTY SCRIPT "const ${constant} = (() => {${text}return {${returned}};\n})();\n")
endfunction()

# A style with what it imports in place.
function(read_style file out)
  file(READ ${file} text)
  string(REGEX MATCHALL "@import '[^']*'" imports "${text}")
  foreach(import IN LISTS imports)
    string(REGEX REPLACE "@import '([^']*)'" "\\1" path "${import}")
    resolve("${file}" "${path}" other)
    read_style("${other}" style)
    string(REPLACE "${import};\n" "${style}" text "${text}")
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# What a content security policy calls an inline element: 'sha256-…' in base 64, without the quotes.
function(hash_source text out)
  string(SHA256 hex "${text}")
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(APPEND hex "00")  # 32 bytes are ten groups of three and two more
  set(coded "")
  foreach(group RANGE 10)
    math(EXPR at "6 * ${group}")
    string(SUBSTRING ${hex} ${at} 6 three)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${three} >> ${shift}) & 63")
      string(SUBSTRING ${alphabet} ${digit} 1 letter)
      string(APPEND coded ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${coded} 0 43 coded)
  set(${out} "sha256-${coded}=" PARENT_SCOPE)
endfunction()

cmake_path(ABSOLUTE_PATH SOURCE NORMALIZE)
file(READ ${SOURCE}/page.html page)
read_style(${SOURCE}/style.css style)
add_module(${SOURCE}/main.js "")
get_property(modules GLOBAL PROPERTY SCRIPT)
set(script "'use strict';\n${modules}")

# What the page's own text must not hold: it would end the element that it stands in.
if("${script}" MATCHES "</script|<!--" OR "${style}" MATCHES "</style")
  message(FATAL_ERROR "embed_page: a script holds </script or <!--, or the style holds </style")
endif()
foreach(placeholder "<style>/*STYLE*/</style>" "<script>/*SCRIPT*/</script>" "STYLE-HASH" "SCRIPT-HASH")
  string(REPLACE "${placeholder}" "" without "${page}")
  string(LENGTH "${page}" before)
  string(LENGTH "${without}" after)
  string(LENGTH "${placeholder}" once)
  math(EXPR removed "${before} - ${after}")
  if(NOT removed EQUAL once)
    message(FATAL_ERROR "embed_page: ${SOURCE}/page.html must hold ${placeholder} exactly once")
  endif()
endforeach()
hash_source("${style}" style_hash)
hash_source("${script}" script_hash)
string(REPLACE "STYLE-HASH" "${style_hash}" page "${page}")
string(REPLACE "SCRIPT-HASH" "${script_hash}" page "${page}")
string(REGEX MATCH "Content-Security-Policy\"[ \n]+content=\"([^\"]*)\"" found "${page}")
set(policy "${CMAKE_MATCH_1}")
string(REPLACE "/*STYLE*/" "${style}" page "${page}")
string(REPLACE "/*SCRIPT*/" "${script}" page "${page}")

if(HTML)
  file(WRITE ${HTML} "${page}")
endif()

# Bytes one by one: string literals have a length limit, and raw ones a delimiter to mind.
function(bytes_of file out)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  set(${out} "${bytes}" PARENT_SCOPE)
endfunction()

if(CPP)
  file(WRITE ${CPP}.html "${page}")
  file(ARCHIVE_CREATE OUTPUT ${CPP}.html.gz PATHS ${CPP}.html FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9 MTIME "2000-01-01")
  bytes_of(${CPP}.html plain)
  bytes_of(${CPP}.html.gz packed)
  file(SIZE ${CPP}.html size)
  file(SIZE ${CPP}.html.gz packed_size)
  cmake_path(GET SOURCE FILENAME name)
  message(STATUS "web/${name}: ${size} bytes, ${packed_size} compressed")
  file(WRITE ${CPP} "// Made by cmake/embed_page.cmake from web/${name}; do not edit.
#include \"${HEADER}\"

namespace ${NAMESPACE} {
namespace {
constexpr char kText[] = {
${plain}};
constexpr char kPacked[] = {
${packed}};
}  // namespace
const EmbeddedPage ${SYMBOL}{{kText, sizeof kText}, {kPacked, sizeof kPacked}, \"${policy}\"};
}  // namespace ${NAMESPACE}
")
endif()
