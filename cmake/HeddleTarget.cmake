# How heddle's targets are declared.

option(HEDDLE_ASSERTIONS "keep assertions on in heddle's own code" ON)

find_program(HEDDLE_CCACHE ccache)
if(HEDDLE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${HEDDLE_CCACHE})
endif()

add_library(heddle_options INTERFACE)
target_include_directories(heddle_options INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_include_directories(heddle_options SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
# A target with the property HEDDLE_EXCEPTIONS throws none either, but those of the
# standard library may pass through it on the way to a C interface, and unwind it.
target_compile_options(heddle_options INTERFACE
  $<$<NOT:$<BOOL:$<TARGET_PROPERTY:HEDDLE_EXCEPTIONS>>>:-fno-exceptions> -Wall -Wextra -Wno-unused-parameter
  -Wno-deprecated-declarations # libstdc++ 12 uses its own std::get_temporary_buffer
  -ffunction-sections
  -fdata-sections $<$<CXX_COMPILER_ID:Clang>:-Xclang -fno-pch-timestamp>)
if(HEDDLE_ASSERTIONS)
  target_compile_options(heddle_options INTERFACE -UNDEBUG)
endif()
option(HEDDLE_SANITIZE
  "everything with Address- and UndefinedBehaviorSanitizer, and the libFuzzer targets" OFF)
if(HEDDLE_SANITIZE)
  # vptr and function need the type information that LLVM's archives lack.
  set(HEDDLE_SANITIZERS
    -fsanitize=address,undefined -fno-sanitize=vptr,function -fno-sanitize-recover=all)
  # Counters of edges are what libFuzzer needs. fuzzer-no-link would also call a function at
  # each comparison, in every test, and forbid optimisations.
  target_compile_options(heddle_options INTERFACE
    ${HEDDLE_SANITIZERS} -fsanitize-coverage=inline-8bit-counters,pc-table)
  # One runtime for heddle and for what loads its libraries, Python for one.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} --print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
    OUTPUT_VARIABLE HEDDLE_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
  # A library that clang does not have is printed as it was asked for, without its folder.
  if(NOT EXISTS ${HEDDLE_SANITIZER_RUNTIME})
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER} has no ${HEDDLE_SANITIZER_RUNTIME}, the sanitizers' "
      "runtime: install libclang-rt-22-dev (make PRESET=asan build does), then configure again.")
  endif()
  cmake_path(GET HEDDLE_SANITIZER_RUNTIME PARENT_PATH HEDDLE_SANITIZER_FOLDER)
  file(WRITE ${PROJECT_BINARY_DIR}/sanitizer-runtime.txt ${HEDDLE_SANITIZER_RUNTIME})
  target_link_options(heddle_options INTERFACE
    ${HEDDLE_SANITIZERS} -shared-libasan -Wl,-rpath,${HEDDLE_SANITIZER_FOLDER})
else()
  # The sanitizers' runtime has the shared ones: with two unwinders in a process no
  # exception would pass from a library into its caller.
  target_link_options(heddle_options INTERFACE -static-libstdc++ -static-libgcc)
endif()
target_link_options(heddle_options INTERFACE
  # Two megabytes of relocations in fifty kilobytes; Debian 12 has the loader for it.
  -fuse-ld=lld -Wl,--gc-sections -Wl,--icf=all -Wl,--as-needed -Wl,-z,pack-relative-relocs -Wl,-O2)

# One precompiled header for everything that includes MLIR. Executables compile
# with -fPIC too, because clang refuses a header made for the other model.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)
add_library(heddle_mlir_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/Pch.cpp)
target_link_libraries(heddle_mlir_pch PRIVATE heddle_options)
target_precompile_headers(heddle_mlir_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/Pch.h)

# heddle_library(NAME [MLIR] SOURCES ... LINK ... DEPENDS ...)
#   MLIR: the sources include MLIR headers; uses the precompiled header and
#   waits for the generated dialect headers.
function(heddle_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC heddle_options ${ARG_LINK})
  if(ARG_MLIR)
    target_precompile_headers(${name} REUSE_FROM heddle_mlir_pch)
    add_dependencies(${name} heddle_headers ${ARG_DEPENDS})
  endif()
endfunction()

# heddle_c_library(NAME OUTPUT STATIC HEADER): lib<OUTPUT>.so of all that STATIC has,
# with a C interface. The version script in the caller's folder keeps LLVM's symbols
# in: a process may hold other LLVMs (PyTorch's, Triton's), and theirs must not mix
# with ours.
function(heddle_c_library name output static header)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/exports.map)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp CONTENT "")
  add_library(${name} SHARED ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${output})
  target_link_libraries(${name} PRIVATE
    -Wl,--whole-archive ${static} -Wl,--no-whole-archive heddle_options)
  target_link_options(${name} PRIVATE
    -Wl,--version-script=${script}
    -Wl,-Bsymbolic $<$<CONFIG:Release>:-Wl,-s>
    # The runtime of a sanitizer is in the process that loads the library.
    $<$<NOT:$<BOOL:${HEDDLE_SANITIZE}>>:-Wl,-z,defs>)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${script})
  install(TARGETS ${name} LIBRARY DESTINATION lib COMPONENT heddle)
  install(FILES ${header} DESTINATION include/heddle COMPONENT heddle)
endfunction()

function(heddle_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE heddle_options ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM heddle_mlir_pch)
  add_dependencies(${name} heddle_headers)
endfunction()

find_package(GTest REQUIRED)
# Another one for tests without MLIR, most of whose time went into GoogleTest's headers.
add_library(heddle_test_pch OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/Pch.cpp)
target_link_libraries(heddle_test_pch PRIVATE heddle_options GTest::gtest)
target_precompile_headers(heddle_test_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/TestPch.h)

# heddle_unittest(NAME [MLIR] SOURCES ... LINK ...): a GoogleTest binary, one ctest each.
function(heddle_unittest name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE heddle_options ${ARG_LINK} GTest::gtest GTest::gtest_main)
  if(ARG_MLIR)
    target_precompile_headers(${name} REUSE_FROM heddle_mlir_pch)
    add_dependencies(${name} heddle_headers)
  else()
    target_precompile_headers(${name} REUSE_FROM heddle_test_pch)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS unit)
endfunction()

# heddle_cold(TARGET ...): code that runs once a program, such as the generated
# code of operations; it is a third larger where all of it is inlined.
function(heddle_cold)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE
      "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -inline-threshold=50>")
  endforeach()
endfunction()

# heddle_small(TARGET ...): cold code that nothing throws through. Without the
# tables for that it is a quarter shorter; what is printed of a crash inside it
# then has none of its callers.
function(heddle_small)
  heddle_cold(${ARGN})
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE -fno-asynchronous-unwind-tables)
  endforeach()
endfunction()
