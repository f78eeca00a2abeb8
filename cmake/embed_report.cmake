# Puts web/report together: one HTML text, and a C++ source that holds it.
#
# Included, it gives tarry_embed_report(TARGET). As a script it does the work:
#   cmake -D SOURCE=web/report [-D HTML=out.html] [-D CPP=out.cpp] -P cmake/embed_report.cmake

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(TARRY_EMBED_REPORT ${CMAKE_CURRENT_LIST_FILE})

  # Adds the generated source to TARGET; made again whenever a file of the page changes.
  function(tarry_embed_report target)
    set(source ${PROJECT_SOURCE_DIR}/web/report)
    set(cpp ${CMAKE_BINARY_DIR}/generated/report_template.cpp)
    file(GLOB parts CONFIGURE_DEPENDS ${source}/*.html ${source}/*.css ${source}/*.js ${source}/order.txt)
    add_custom_command(OUTPUT ${cpp}
      COMMAND ${CMAKE_COMMAND} -D SOURCE=${source} -D CPP=${cpp} -P ${TARRY_EMBED_REPORT}
      DEPENDS ${parts} ${TARRY_EMBED_REPORT}
      COMMENT "Embedding web/report" VERBATIM)
    target_sources(${target} PRIVATE ${cpp})
  endfunction()
  return()
endif()

file(READ ${SOURCE}/report.html page)
file(READ ${SOURCE}/style.css style)
file(STRINGS ${SOURCE}/order.txt names REGEX "^[a-z_]+[.]js$")
set(script "(() => {\n'use strict';\n")
foreach(name IN LISTS names)
  file(READ ${SOURCE}/${name} text)
  string(APPEND script "${text}")
endforeach()
string(APPEND script "})();")

# What the page's own text must not hold: it would end the element that it stands in.
if("${script}" MATCHES "</script|<!--" OR "${style}" MATCHES "</style")
  message(FATAL_ERROR "embed_report: a script holds </script or <!--, or the style holds </style")
endif()
foreach(placeholder "/*STYLE*/" "/*SCRIPT*/" "<script id=\"data\" type=\"application/json\">{}</script>")
  string(REPLACE "${placeholder}" "" without "${page}")
  string(LENGTH "${page}" before)
  string(LENGTH "${without}" after)
  string(LENGTH "${placeholder}" once)
  math(EXPR removed "${before} - ${after}")
  if(NOT removed EQUAL once)
    message(FATAL_ERROR "embed_report: report.html must hold ${placeholder} exactly once")
  endif()
endforeach()
string(REPLACE "/*STYLE*/" "${style}" page "${page}")
string(REPLACE "/*SCRIPT*/" "${script}" page "${page}")

if(HTML)
  file(WRITE ${HTML} "${page}")
endif()

# Characters one by one: string literals have a length limit, and raw ones a delimiter to mind.
if(CPP)
  file(WRITE ${CPP}.html "${page}")
  file(READ ${CPP}.html bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  file(WRITE ${CPP} "// Made by cmake/embed_report.cmake from web/report; do not edit.
#include \"tarry/lab/report/report_template.h\"

namespace tarry::lab {
namespace {
constexpr char kText[] = {
${bytes}};
}  // namespace
const std::string_view kReportTemplate{kText, sizeof kText};
}  // namespace tarry::lab
")
endif()
