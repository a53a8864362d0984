# heddle_add_kernel(TARGET FILE [PROCESSOR NAME] [SETTINGS NAME=VALUE ...] [OPTIONS ...])
#
# Compiles the kernels of FILE (tile text, or TTIR of a Triton kernel) into a library
# TARGET with the header TARGET.h, which has KERNEL_launch and KERNEL_load for each.
# SETTINGS are --set, OPTIONS any further ones of `heddle compile`. With PROCESSOR, as cpu-epyc,
# the code is for the CPU that builds it, planned for that processor, FILE may be einsums, too, and
# the header has KERNEL_call, or PROGRAM_call for each program; nothing of heddle's is linked.
function(heddle_add_kernel target file)
  cmake_parse_arguments(ARG "" "PROCESSOR" "SETTINGS;OPTIONS" ${ARGN})
  get_filename_component(source ${file} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/heddle/${target})
  set(settings)
  foreach(setting ${ARG_SETTINGS})
    list(APPEND settings --set ${setting})
  endforeach()
  if(ARG_PROCESSOR)
    list(APPEND settings --machine=${ARG_PROCESSOR})
  endif()
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${folder}/${target}.h ${folder}/${target}.o
    COMMAND heddle::heddle compile ${source} --emit=library -o ${folder}/${target}
      ${settings} ${ARG_OPTIONS}
    DEPENDS ${source} heddle::heddle
    COMMENT "Compiling ${file} with heddle"
    VERBATIM)
  set_source_files_properties(${folder}/${target}.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  add_library(${target} STATIC ${folder}/${target}.o ${folder}/${target}.h)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${target} PUBLIC ${folder})
  if(ARG_PROCESSOR)
    target_link_libraries(${target} PUBLIC m)
  else()
    target_link_libraries(${target} PUBLIC heddle::runtime)
  endif()
endfunction()

# heddle_add_tasks(TARGET PROGRAM.cpp [SETTINGS NAME=VALUE ...] [OPTIONS ...])
#
# Builds and runs PROGRAM.cpp, which includes heddle/task.h and prints a program of tasks
# with its mapping, and compiles that into a library TARGET as heddle_add_kernel does.
function(heddle_add_tasks target program)
  cmake_parse_arguments(ARG "" "" "SETTINGS;OPTIONS" ${ARGN})
  set(text ${CMAKE_CURRENT_BINARY_DIR}/heddle/${target}.mlir)
  add_executable(${target}_tasks ${program})
  target_compile_features(${target}_tasks PRIVATE cxx_std_20)
  target_include_directories(${target}_tasks PRIVATE
    $<TARGET_PROPERTY:heddle::runtime,INTERFACE_INCLUDE_DIRECTORIES>)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/heddle)
  add_custom_command(
    OUTPUT ${text}
    COMMAND ${target}_tasks > ${text}
    DEPENDS ${target}_tasks
    COMMENT "Recording the tasks of ${program}"
    VERBATIM)
  heddle_add_kernel(${target} ${text} SETTINGS ${ARG_SETTINGS} OPTIONS ${ARG_OPTIONS})
endfunction()
