//===- RecordTest.cpp - What was measured, on disk ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record is read as it was written, also if its writer was killed; what is
// not a record of the space, and a second writer, are refused.
//
//===----------------------------------------------------------------------===//

#include "Spaces.h"

#include "heddle/Support/Files.h"
#include "heddle/Tuner/Record.h"

#include <csignal>
#include <filesystem>
#include <set>
#include <sys/resource.h>

using namespace heddle::tuner;

namespace {

class Records : public testing::Test {
protected:
  Records()
      : path((std::filesystem::temp_directory_path() /
              ("heddle-record-" + std::to_string(::getpid()) + ".jsonl"))
                 .string()),
        tiles(space({upTo("a", 9), permutation("p", 3)}, {"a < 9"})) {
    std::filesystem::remove(path);
  }
  ~Records() override { std::filesystem::remove(path); }

  /// The record, or the error as text.
  std::optional<Record> open(const std::string &key, std::string &error) {
    llvm::Expected<Record> opened = Record::open(path, tiles, key, true);
    if (opened)
      return std::optional<Record>(std::move(*opened));
    error = llvm::toString(opened.takeError());
    error.erase(0, error.find(": ") + 2);
    return std::nullopt;
  }
  std::string contents() {
    std::string reason;
    return heddle::readFile(path, reason)->getBuffer().str();
  }
  /// The first lines of the file.
  std::string linesOf(int count) {
    std::string text = contents();
    size_t end = 0;
    for (int k = 0; k < count; ++k)
      end = text.find('\n', end) + 1;
    return text.substr(0, end);
  }
  void write(const std::string &text) {
    ASSERT_EQ(heddle::writeFile(path, text), "");
  }

  std::string path;
  Space tiles;
};

const Told kValid = {{3, packItems({2, 0, 1})}, {true, 0.1, ""}};
const Told kInvalid = {{5, packItems({0, 1, 2})}, {false, 0, "too \"big\""}};

} // namespace

TEST_F(Records, AreReadAsWritten) {
  std::string error;
  {
    std::optional<Record> record = open("gemm", error);
    ASSERT_TRUE(record) << error;
    EXPECT_EQ(record->append(tiles, kValid), "");
    EXPECT_EQ(record->append(tiles, kInvalid), "");
  }
  std::optional<Record> again = open("gemm", error);
  ASSERT_TRUE(again) << error;
  ASSERT_EQ(again->told().size(), 2u);
  EXPECT_EQ(again->told()[0].point, kValid.point);
  EXPECT_EQ(again->told()[0].outcome.value, 0.1);
  EXPECT_FALSE(again->told()[1].outcome.isValid);
  EXPECT_EQ(again->told()[1].outcome.reason, "too \"big\"");
}

TEST_F(Records, SpacesAreToldApart) {
  auto of = [](std::vector<Parameter> parameters,
               const std::vector<std::string> &constraints) {
    return identify(space(std::move(parameters), constraints));
  };
  // The same everywhere: it stands in files.
  EXPECT_EQ(of({ordinal("a", {1, 2})}, {"a > 0"}), "3841acd6d93c7c56");
  std::set<std::string> all = {of({ordinal("a", {1, 2})}, {"a > 0"}),
                               of({ordinal("a", {1, 3})}, {"a > 0"}),
                               of({ordinal("b", {1, 2})}, {"b > 0"}),
                               of({ordinal("a", {1, 2})}, {"a > 1"}),
                               of({ordinal("a", {1, 2})}, {}),
                               of({integer("a", 1, 2)}, {}),
                               of({integer("a", 1, 3)}, {}),
                               of({real("a", 1, 3)}, {}),
                               of({real("a", 1, 4)}, {}),
                               of({categorical("a", {"1", "2"})}, {}),
                               of({categorical("a", {"12"})}, {}),
                               of({permutation("a", 3)}, {}),
                               of({permutation("a", 4)}, {})};
  EXPECT_EQ(all.size(), 13u);
}

// Somebody who has the file alone can ask why.
TEST_F(Records, SayWhatTheyAreOf) {
  std::string error;
  Ending ending;
  ending.why = Ending::Why::Bounds;
  ending.claim = {true, 48, 7, 30, 9, 0.75, -1, 0};
  Verdict verdict;
  verdict.isWin = true;
  verdict.winner = kValid.point;
  verdict.share = 0.5;
  verdict.low = 0.25;
  verdict.high = 0.625;
  verdict.noise = 0.125;
  verdict.rounds = 12;
  Told coded = kValid;
  coded.outcome.code = "00ff";
  {
    std::optional<Record> record = open("gemm", error);
    EXPECT_EQ(record->append(tiles, coded), "");
    EXPECT_EQ(record->end(ending), "");
    EXPECT_EQ(record->confirm(tiles, verdict), "");
  }
  std::string before = contents();
  EXPECT_EQ(open("gemm", error)->end(ending), ""); // it says so already
  EXPECT_EQ(contents(), before);

  llvm::Expected<WholeRecord> whole = readWholeRecord(path);
  ASSERT_TRUE(bool(whole)) << llvm::toString(whole.takeError());
  EXPECT_EQ(whole->key, "gemm");
  EXPECT_EQ(identify(whole->space), identify(tiles));
  EXPECT_TRUE(whole->isLogOutput);
  ASSERT_EQ(whole->lines.told.size(), 1u);
  EXPECT_EQ(whole->lines.told[0].outcome.code, "00ff");
  ASSERT_TRUE(whole->lines.ending);
  EXPECT_EQ(whole->lines.ending->why, Ending::Why::Bounds);
  const Claim &claim = whole->lines.ending->claim;
  EXPECT_TRUE(claim.isKnown);
  EXPECT_EQ(claim.refused, 7u);
  EXPECT_EQ(claim.slower, 30u);
  EXPECT_EQ(claim.open, 9u);
  EXPECT_EQ(claim.gapTo(1), 0.25);
  ASSERT_TRUE(whole->lines.verdict);
  EXPECT_TRUE(whole->lines.verdict->isWin);
  EXPECT_EQ(whole->lines.verdict->winner, kValid.point);
  EXPECT_EQ(whole->lines.verdict->low, 0.25);
  EXPECT_EQ(whole->lines.verdict->rounds, 12);

  // A tuner that goes on takes the end back.
  EXPECT_EQ(open("gemm", error)->append(tiles, kInvalid), "");
  whole = readWholeRecord(path);
  ASSERT_TRUE(bool(whole)) << llvm::toString(whole.takeError());
  EXPECT_EQ(whole->lines.told.size(), 2u);
  EXPECT_FALSE(whole->lines.ending);
  EXPECT_FALSE(whole->lines.verdict);
}

TEST_F(Records, HaveOneWriter) {
  std::string error;
  std::optional<Record> record = open("", error);
  EXPECT_FALSE(open("", error));
  EXPECT_EQ(error, "another tuner is writing it [tuner-record]");
  record.reset();
  EXPECT_TRUE(open("", error));
}

TEST_F(Records, LoseHalfALine) {
  std::string error;
  {
    std::optional<Record> record = open("", error);
    record->append(tiles, kValid);
    record->append(tiles, kInvalid);
    record->end({});
  }
  std::string whole = contents();
  for (size_t size = 0; size <= whole.size(); ++size) {
    write(whole.substr(0, size));
    size_t lines =
        size_t(std::count(whole.begin(), whole.begin() + long(size), '\n'));
    std::optional<Record> record = open("", error);
    ASSERT_TRUE(record) << error;
    EXPECT_EQ(record->told().size(),
              lines > 2 ? std::min<size_t>(2, lines - 2) : 0);
    for (size_t k = record->told().size(); k < 2; ++k)
      EXPECT_EQ(record->append(tiles, k == 0 ? kValid : kInvalid), "");
    EXPECT_EQ(record->end({}), "");
    EXPECT_EQ(contents(), whole);
  }
}

// A record that was cut is mended; another file that happens to have no end of
// line is somebody's.
TEST_F(Records, OtherFilesWithoutAnEndOfLineAreLeftAlone) {
  std::string error;
  open("gemm", error)->append(tiles, kValid);
  std::string header = linesOf(2);
  for (const std::string &text :
       {std::string("my notes"), std::string("{}"), std::string(3, '\0'),
        std::string("{\"heddle_tune\":2,\"space\":\"0\"")}) {
    write(text);
    EXPECT_FALSE(open("gemm", error)) << text;
    EXPECT_EQ(error, "line 1: cut short, and it is not the beginning of a "
                     "record's line [tuner-record]");
    EXPECT_EQ(contents(), text);
  }
  std::string first = header.substr(0, header.find('\n') + 1);
  for (auto [before, line] :
       {std::pair(first, "line 2"), std::pair(header, "line 3")}) {
    write(before + "notes");
    EXPECT_FALSE(open("gemm", error));
    EXPECT_EQ(error, line + std::string(": cut short, and it is not the "
                                        "beginning of a record's line "
                                        "[tuner-record]"));
    EXPECT_EQ(contents(), before + "notes");
  }
}

/// A full disk, say: the record is as it was, and what follows is read.
TEST_F(Records, ALineThatDoesNotFitIsTakenBack) {
  std::string error;
  auto record = open("gemm", error);
  ASSERT_TRUE(record) << error;
  EXPECT_EQ(record->append(tiles, kValid), "");
  std::string before = contents();
  rlimit all{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &all), 0);
  auto *handled = std::signal(SIGXFSZ, SIG_IGN);
  rlimit few{before.size() + 10, all.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &few), 0);
  std::string reason = record->append(tiles, kInvalid);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &all), 0);
  std::signal(SIGXFSZ, handled);
  EXPECT_EQ(reason, "File too large");
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(record->append(tiles, kInvalid), "");
  record.reset();
  auto again = open("gemm", error);
  ASSERT_TRUE(again) << error;
  EXPECT_EQ(again->told().size(), 2u);
}

TEST_F(Records, OfOtherThingsAreRefused) {
  std::string error;
  open("gemm", error)->append(tiles, kValid);
  EXPECT_FALSE(open("softmax", error));
  EXPECT_EQ(error, "it is for 'gemm', and this is 'softmax' [tuner-record]");
  Space others = space({upTo("a", 9), permutation("p", 3)}, {"a < 8"});
  llvm::Expected<Record> other = Record::open(path, others, "gemm", true);
  ASSERT_FALSE(bool(other));
  EXPECT_NE(llvm::toString(other.takeError())
                .find("it is of another space: its parameters or constraints "
                      "differ [tuner-record]"),
            std::string::npos);
  std::string header = linesOf(2);
  write(header + "{\"point\": {\"a\": 2, \"p\": [0, 1]}, \"value\": 1}\n");
  EXPECT_FALSE(open("gemm", error));
  EXPECT_EQ(error, "line 3: point.p: expected a permutation of 0 to 2, found a "
                   "list of 2 [tuner-record]");
  write(header + "{\"point\": {\"a\": 9, \"p\": [0, 1, 2]}, \"value\": 1}\n");
  EXPECT_FALSE(open("gemm", error));
  EXPECT_EQ(error, "line 3: the point is none of the space [tuner-record]");
  write(header + "{\"end\": \"boredom\"}\n");
  EXPECT_FALSE(open("gemm", error));
  EXPECT_EQ(error, "line 3: end: expected budget, points, bounds or twins, "
                   "found \"boredom\" [tuner-record]");
  write("{\"heddle_tune\":1,\"space\":\"0\",\"key\":\"\"}\n");
  EXPECT_FALSE(open("gemm", error));
  EXPECT_EQ(error, "line 1: a record of version 1; this heddle reads version 2 "
                   "[tuner-record]");
  write("{\"seconds\": 3}\n");
  EXPECT_FALSE(open("gemm", error));
  EXPECT_EQ(error, "line 1: heddle_tune: the field is missing [tuner-record]");
}
