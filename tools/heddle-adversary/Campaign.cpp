//===- Campaign.cpp - Many seeds, each within its limits ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"

#include "heddle/Pipeline/Compile.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include "heddle/Support/MemoryLimit.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace heddle::adversary;

/// More than any program needs.
static constexpr rlim_t kMemoryBytes = 4ull << 30;
/// Programs that share a process, and with it what its context remembers.
static constexpr uint64_t kBatch = 400;

//===----------------------------------------------------------------------===//
// One line for each program
//===----------------------------------------------------------------------===//

static std::string plain(std::string text) {
  for (char &c : text)
    if (c == '\t' || c == '\n')
      c = ' ';
  return text;
}

static std::string encode(const Judged &judged) {
  const Opinion &o = judged.opinion;
  std::string line;
  for (int64_t number :
       {int64_t(judged.seed), int64_t(o.verdict), int64_t(o.conflict),
        int64_t(o.finding.kind), int64_t(o.finding.line), o.states,
        int64_t(o.launches), int64_t(o.allOrders), judged.micros})
    line += std::to_string(number) + "\t";
  return line + plain(o.finding.fault) + "\t" + plain(o.launch) + "\t" +
         plain(o.openBecause) + "\t" + plain(o.message) + "\n";
}

static Judged decode(llvm::StringRef line) {
  llvm::SmallVector<llvm::StringRef> parts;
  line.split(parts, '\t');
  Judged judged;
  if (parts.size() < 13)
    return judged;
  auto number = [&](size_t i) {
    int64_t value = 0;
    parts[i].getAsInteger(10, value);
    return value;
  };
  Opinion &o = judged.opinion;
  judged.seed = uint64_t(number(0));
  o.verdict = Verdict(number(1));
  o.conflict = Conflict(number(2));
  o.finding.kind = Finding::Kind(number(3));
  o.finding.line = int(number(4));
  o.states = number(5);
  o.launches = int(number(6));
  o.allOrders = int(number(7));
  judged.micros = number(8);
  o.finding.fault = parts[9].str();
  o.launch = parts[10].str();
  o.openBecause = parts[11].str();
  o.message = parts[12].str();
  return judged;
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

namespace {
/// Seeds from..to by `stride`, of which a process judges some hundred.
struct Worker {
  uint64_t next = 0, stride = 1;
  pid_t child = -1;
  int file = -1;
  std::string received;
};
} // namespace

static void writeAll(int file, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count <= 0)
      _exit(1);
    done += size_t(count);
  }
}

static void setLimits(int seconds) {
  heddle::limitMemory(kMemoryBytes);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

[[noreturn]] static void
work(int file, uint64_t from, uint64_t end, uint64_t stride, int seconds,
     const JudgeOptions &options,
     const std::function<std::string(uint64_t)> &text) {
  for (int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGVTALRM})
    signal(number, SIG_DFL);
  if (int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
  auto context = heddle::pipeline::createContext();
  context->disableMultithreading();
  for (uint64_t done = 0; from < end && done < kBatch; from += stride, ++done) {
    setLimits(seconds);
    auto before = std::chrono::steady_clock::now();
    Judged judged;
    judged.seed = from;
    judged.opinion = judge(text(from), *context, options);
    judged.micros = std::chrono::duration_cast<std::chrono::microseconds>(
                        std::chrono::steady_clock::now() - before)
                        .count();
    writeAll(file, encode(judged));
  }
  _exit(0);
}

void heddle::adversary::judgeMany(
    uint64_t first, uint64_t count, int jobs, int seconds,
    const JudgeOptions &options,
    const std::function<std::string(uint64_t)> &text,
    const std::function<void(const Judged &)> &take) {
  uint64_t end = first + count;
  std::vector<Worker> workers(size_t(std::max(jobs, 1)));
  for (size_t i = 0; i < workers.size(); ++i) {
    workers[i].next = first + i;
    workers[i].stride = workers.size();
  }
  auto start = [&](Worker &worker) {
    int ends[2];
    if (worker.next >= end || pipe(ends) != 0)
      return;
    worker.child = fork();
    if (worker.child == 0)
      work(ends[1], worker.next, end, worker.stride, seconds, options, text);
    close(ends[1]);
    worker.file = ends[0];
  };
  auto finish = [&](Worker &worker) {
    close(worker.file);
    worker.file = -1;
    int status = 0;
    waitpid(worker.child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      return start(worker);
    Judged judged; // of the program that it did not finish
    judged.seed = worker.next;
    judged.hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM;
    judged.crashed = !judged.hung;
    judged.opinion.message =
        WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit";
    take(judged);
    worker.next += worker.stride;
    worker.received.clear();
    start(worker);
  };
  for (Worker &worker : workers)
    start(worker);
  while (true) {
    std::vector<pollfd> files;
    std::vector<Worker *> owners;
    for (Worker &worker : workers)
      if (worker.file >= 0) {
        files.push_back({worker.file, POLLIN, 0});
        owners.push_back(&worker);
      }
    if (files.empty())
      return;
    poll(files.data(), nfds_t(files.size()), -1);
    for (size_t i = 0; i < files.size(); ++i) {
      if (!files[i].revents)
        continue;
      Worker &worker = *owners[i];
      char buffer[4096];
      ssize_t size = ::read(worker.file, buffer, sizeof buffer);
      if (size <= 0) {
        finish(worker);
        continue;
      }
      worker.received.append(buffer, size_t(size));
      for (size_t at; (at = worker.received.find('\n')) != std::string::npos;) {
        take(decode(llvm::StringRef(worker.received).take_front(at)));
        worker.received.erase(0, at + 1);
        worker.next += worker.stride;
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

std::string heddle::adversary::general(const std::string &text) {
  std::string result;
  bool isQuoted = false;
  for (char c : text) {
    if (c == '\'')
      isQuoted = !isQuoted;
    else if (isQuoted)
      continue;
    if (llvm::isDigit(c)) {
      if (result.empty() || result.back() != 'N')
        result += 'N';
    } else {
      result += c;
    }
  }
  return result.substr(0, 110);
}

void Tally::add(const Judged &judged) {
  ++programs;
  if (judged.crashed || judged.hung) {
    ++(judged.hung ? hangs : crashes);
    return;
  }
  const Opinion &o = judged.opinion;
  ++verdicts[o.verdict];
  ++conflicts[o.conflict];
  launches += o.launches;
  allOrders += o.allOrders;
  states += o.states;
  micros += judged.micros;
  slowest = std::max(slowest, judged.micros);
  if (o.verdict == Verdict::Refused || o.verdict == Verdict::Invalid ||
      o.verdict == Verdict::NotProved)
    ++reasons[std::string(spelling(o.verdict)) + ": " + general(o.message)];
  if (o.verdict == Verdict::Refused || o.verdict == Verdict::Invalid)
    return;
  bool isFaulty = o.finding.kind == Finding::Faulty;
  if (!isFaulty && !o.openBecause.empty())
    ++open[o.verdict == Verdict::Counterexample][o.openBecause];
  ++kinds[isFaulty ? kindOf(o.finding.fault) : "(no fault)"][o.verdict];
}

bool Tally::isFine() const {
  auto of = [&](Conflict conflict) {
    auto found = conflicts.find(conflict);
    return found == conflicts.end() ? 0 : found->second;
  };
  auto invalid = verdicts.find(Verdict::Invalid);
  return crashes + hangs == 0 && of(Conflict::None) == programs &&
         (invalid == verdicts.end() || invalid->second == 0);
}

void Tally::print(llvm::raw_ostream &os) const {
  auto of = [](const auto &counts, auto key) -> int64_t {
    auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
  };
  int64_t proved = of(verdicts, Verdict::Proved);
  int64_t wrong = of(verdicts, Verdict::Counterexample);
  int64_t left = of(verdicts, Verdict::NotProved);
  int64_t checked = proved + wrong + left;
  auto share = [&](int64_t count) {
    return llvm::format(" (%.1f %%)",
                        100.0 * double(count) /
                            double(std::max<int64_t>(checked, 1)));
  };
  os << programs << " programs: " << of(verdicts, Verdict::Refused)
     << " refused by the verifier, " << of(verdicts, Verdict::Invalid)
     << " invalid, " << crashes << " crashes, " << hangs << " hangs\n";
  os << checked << " checked: " << proved << " proved" << share(proved) << ", "
     << wrong << " counterexamples" << share(wrong) << ", " << left
     << " not proved" << share(left) << "\n";
  os << "conflicts: " << of(conflicts, Conflict::FalseProof)
     << " false proofs, " << of(conflicts, Conflict::FalseCounterexample)
     << " false counterexamples, " << of(conflicts, Conflict::WrongArguments)
     << " wrong arguments, " << of(conflicts, Conflict::Model)
     << " of the model with itself\n";
  auto total = [](const std::map<std::string, int64_t> &counts) {
    int64_t sum = 0;
    for (const auto &[reason, count] : counts)
      sum += count;
    return sum;
  };
  os << "open: " << total(open[true])
     << " counterexamples that the model neither confirms nor refutes\n";
  os << "model: " << launches << " launches, " << allOrders
     << " of them in all orders, " << states << " states; "
     << total(open[false])
     << " programs without a fault and with launches that it could not "
        "follow\n";
  os << llvm::format("time: %.1f s, %.2f ms a program, %.2f s the slowest\n",
                     double(micros) / 1e6,
                     double(micros) / 1e3 /
                         double(std::max<int64_t>(programs, 1)),
                     double(slowest) / 1e6);
  os << "what the model found, in programs that are proved, have a "
        "counterexample, are not proved:\n";
  for (const auto &[kind, counts] : kinds)
    os << llvm::format("%8d %8d %8d  ", int(of(counts, Verdict::Proved)),
                       int(of(counts, Verdict::Counterexample)),
                       int(of(counts, Verdict::NotProved)))
       << kind << "\n";
  for (bool isCounterexample : {true, false})
    for (const auto &[reason, count] : open[isCounterexample])
      os << llvm::format("%8d  ", int(count))
         << (isCounterexample ? "counterexample, open: " : "not followed: ")
         << reason << "\n";
  std::vector<std::pair<int64_t, std::string>> most;
  for (const auto &[reason, count] : reasons)
    most.push_back({-count, reason});
  std::sort(most.begin(), most.end());
  if (most.size() > 12)
    most.resize(12);
  for (const auto &[count, reason] : most)
    os << llvm::format("%8d  ", int(-count)) << reason << "\n";
}
