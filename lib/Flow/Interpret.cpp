//===- Interpret.cpp - The oracle of the stream rung ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Flow/Interpret.h"

#include "Chain.h"
#include "Copies.h"
#include "Scalars.h"
#include "Workspace.h"

#include "heddle/Conversion/EinsumToTile.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Flow.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Diagnostics/Run.h"
#include "heddle/Support/Diagnostics/Sparse.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::flow;

std::string heddle::flow::spell(const Stream &stream, StreamKind kind) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [index, token] : llvm::enumerate(stream)) {
    os << (index ? " " : "");
    if (token.isStop())
      os << "S" << token.number;
    else if (token.kind == Token::Absent)
      os << "N";
    else if (kind == StreamKind::Val)
      os << llvm::format("%g", token.value());
    else
      os << token.number;
  }
  return text;
}

namespace {

class Interpreter {
public:
  Interpreter(GraphOp graph, GraphRun &run) : graph(graph), run(run) {
    if (run.lineBytes > 0 && llvm::isPowerOf2_64(uint64_t(run.lineBytes)))
      lineShift = int(llvm::Log2_64(uint64_t(run.lineBytes)));
  }

  LogicalResult runAll() {
    for (auto [argument, tensor] :
         llvm::zip_equal(graph.getEntry().getArguments(), run.arguments))
      tensors[argument] = &tensor;
    for (Operation &op : graph.getEntry()) {
      int64_t operations = run.operations, words = run.words;
      lines = {};
      if (failed(runOne(&op)))
        return failure();
      countTokens(&op);
      if (lines.asked)
        run.lines[&op] = int64_t(double(lines.asked) * scaleOf(&op));
      if (double scale = scaleOf(&op); scale != 1) {
        run.operations =
            operations + int64_t(double(run.operations - operations) * scale);
        run.words = words + int64_t(double(run.words - words) * scale);
      }
      if (made > run.mostTokens)
        return report(&op, diag::step_limit)
               << "the graph has more than " << run.mostTokens << " tokens";
      if (!run.keepsStreams)
        dropRead(&op);
    }
    return success();
  }

private:
  /// The arrays of a tensor that one primitive reads.
  enum Array { Positions, Coordinates, Values };
  struct Lines {
    int64_t held[3] = {-1, -1, -1}, asked = 0;
  };

  /// The primitive reads a number. All numbers are as wide as values.
  void touch(const sparse::Tensor &tensor, Array array, int64_t number) {
    if (run.lineBytes == 0)
      return;
    int64_t byte = number * sparse::sizeOf(tensor.element);
    int64_t line = lineShift >= 0 ? byte >> lineShift : byte / run.lineBytes;
    lines.asked += line != lines.held[array];
    lines.held[array] = line;
  }

  const Stream &get(Value value) { return run.streams[value]; }

  /// Which coordinates of a space are walked: all but of an outermost one.
  class Walked {
  public:
    Walked(StreamType type, const std::vector<bool> &some)
        : some(some), count(type.getDepth() == 1 ? int64_t(some.size()) : 0) {}
    bool has(int64_t coordinate) const {
      return coordinate >= count || some[size_t(coordinate)];
    }

  private:
    const std::vector<bool> &some;
    int64_t count;
  };

  /// How many times as much `op` does where every coordinate is walked.
  double scaleOf(Operation *op) {
    if (isa<WriteOp, RootOp>(op))
      return 1;
    for (Value operand : op->getOperands())
      if (behindWorkspace.contains(operand))
        return 1;
    return run.scale;
  }

  /// A workspace is emptied beside the next one, which is filled: a value takes
  /// a turn there, and a token that is put out takes one here.
  double turnsOfWorkspace(ReduceOp op, double filling, double emptying) {
    auto depth = int64_t(op.getKeys().size());
    const Stream &keys = get(op.getKeys().back()), &out = get(op.getReduced());
    double filled = 0, emptied = 0;
    auto next = out.begin();
    for (Token token : keys) {
      if (!token.isStop()) {
        filled += filling;
        continue;
      }
      if (token.number < depth)
        continue;
      filled = emptied = std::max(filled, emptied);
      bool isLast = false;
      for (; next != out.end() && !isLast; ++next) {
        isLast = next->isStop() && next->number >= depth - 1;
        emptied += emptying;
      }
    }
    return std::max(filled, emptied);
  }

  void countTokens(Operation *op) {
    auto reduce = dyn_cast<ReduceOp>(op);
    bool isWorkspace = reduce && !reduce.getKeys().empty();
    double scale = scaleOf(op), most = 0, read = 0;
    for (Value operand : op->getOperands()) {
      if (!isa<StreamType>(operand.getType()))
        continue;
      read = std::max(read, double(get(operand).size()) * scale);
    }
    // All outermost coordinates meet here, and not only those that are walked.
    if (isWorkspace && llvm::any_of(op->getResults(), [](Value result) {
          return cast<StreamType>(result.getType()).getDepth() == 1;
        }))
      scale = 1;
    for (Value result : op->getResults()) {
      if (!isa<StreamType>(result.getType()))
        continue;
      double tokens = double(get(result).size()) * scale;
      run.tokens += int64_t(tokens);
      made += int64_t(get(result).size());
      most = std::max(most, tokens);
      if (scale == 1 && run.scale != 1 && !isa<RootOp>(op))
        behindWorkspace.insert(result);
    }
    run.turns[op] =
        int64_t(isWorkspace ? turnsOfWorkspace(reduce, scaleOf(op), scale)
                            : std::max(read, most));
  }

  /// Streams that nobody reads behind `op`.
  void dropRead(Operation *op) {
    auto isLast = [&](Value stream) {
      return llvm::none_of(stream.getUsers(), [&](Operation *user) {
        return op->isBeforeInBlock(user);
      });
    };
    for (Value operand : op->getOperands())
      if (isa<StreamType>(operand.getType()) && isLast(operand))
        run.streams.erase(operand);
  }

  LogicalResult runOne(Operation *op) {
    // No reference to a stream survives the insertion of another.
    for (Value result : op->getResults())
      run.streams.try_emplace(result);
    LogicalResult done =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case<RootOp, ScanOp, RangeOp, RepeatOp, JoinOp, LocateOp, ValuesOp,
                  ComputeOp, ReduceOp, ForkOp, CollectOp, WriteOp>(
                [&](auto op) { return execute(op); })
            .Default([](Operation *) { return success(); });
    return done;
  }

  /// With `stream` there are more tokens than may be, which runAll() reports.
  bool isFull(const Stream &stream) const {
    return made + int64_t(stream.size()) > run.mostTokens;
  }

  LogicalResult disagree(Operation *op) {
    return report(op, diag::internal)
           << "bug in heddle: the streams that '" << op->getName()
           << "' reads disagree in their stops";
  }

  /// A graph that a person wrote may hand one tensor's references to another.
  LogicalResult isOutside(Operation *op, const Token &token, int64_t known) {
    return report(op, diag::flow_tensor)
           << "'" << op->getName() << "' is asked for position " << token.number
           << " of a level that has " << known;
  }

  LogicalResult execute(RootOp op) {
    run.streams[op.getRef()] = {Token::at(0)};
    return success();
  }

  LogicalResult execute(ScanOp op) {
    const sparse::Tensor &tensor = *tensors.lookup(op.getTensor());
    int level = int(op.getLevel());
    bool isDense = tensor.format.levels[level] == sparse::Level::Dense;
    if (!isDense && tensor.format.levels[level] != sparse::Level::Compressed)
      return report(op, diag::flow_unsupported)
             << "level " << level
             << " is a list of coordinates; dense and compressed levels are "
                "scanned";
    const Stream &refs = get(op.getRef());
    Stream &crd = run.streams[op.getCrd()], &below = run.streams[op.getBelow()];
    auto emit = [&](Token c, Token b) {
      crd.push_back(c);
      below.push_back(b);
    };
    int64_t known = tensor.countOfLevel(level - 1);
    Walked walked(op.getCrd().getType(), run.walked);
    for (size_t i = 0; i < refs.size(); ++i) {
      if (refs[i].kind == Token::Value && refs[i].number >= known)
        return isOutside(op, refs[i], known);
      if (refs[i].isStop()) {
        emit(Token::stop(refs[i].number + 1), Token::stop(refs[i].number + 1));
        continue;
      }
      if (refs[i].kind == Token::Value && isDense)
        for (int64_t c = 0, n = tensor.extentOfLevel(level);
             c < n && !isFull(crd); ++c) {
          if (walked.has(c))
            emit(Token::at(c), Token::at(refs[i].number * n + c));
        }
      else if (refs[i].kind == Token::Value)
        for (int64_t p = tensor.positions[level].get(refs[i].number),
                     e = tensor.positions[level].get(refs[i].number + 1);
             p < e; ++p) {
          int64_t c = tensor.coordinates[level].get(p);
          if (!walked.has(c))
            continue;
          emit(Token::at(c), Token::at(p));
          touch(tensor, Coordinates, p);
          ++run.words;
        }
      if (refs[i].kind == Token::Value && !isDense) {
        touch(tensor, Positions, refs[i].number);
        touch(tensor, Positions, refs[i].number + 1);
        run.words += 2;
      }
      int64_t stop = 0;
      if (i + 1 < refs.size() && refs[i + 1].isStop())
        stop = refs[++i].number + 1;
      emit(Token::stop(stop), Token::stop(stop));
      if (isFull(crd))
        break;
    }
    return success();
  }

  LogicalResult execute(RangeOp op) {
    int64_t extent =
        tensors.lookup(op.getTensor())->extents[size_t(op.getAxis())];
    const Stream &above = get(op.getAbove());
    Stream &crd = run.streams[op.getCrd()];
    Walked walked(op.getCrd().getType(), run.walked);
    for (size_t i = 0; i < above.size(); ++i) {
      if (above[i].isStop()) {
        crd.push_back(Token::stop(above[i].number + 1));
        continue;
      }
      for (int64_t c = 0;
           above[i].kind == Token::Value && c < extent && !isFull(crd); ++c)
        if (walked.has(c))
          crd.push_back(Token::at(c));
      int64_t stop = 0;
      if (i + 1 < above.size() && above[i + 1].isStop())
        stop = above[++i].number + 1;
      crd.push_back(Token::stop(stop));
      if (isFull(crd))
        break;
    }
    return success();
  }

  LogicalResult execute(RepeatOp op) {
    const Stream &stream = get(op.getStream()), &crd = get(op.getCrd());
    Stream &out = run.streams[op.getRepeated()];
    out.reserve(crd.size());
    size_t at = 0;
    for (size_t i = 0; i < stream.size(); ++i) {
      Token token = stream[i];
      if (!token.isStop())
        for (; at < crd.size() && !crd[at].isStop(); ++at)
          out.push_back(token);
      if (at == crd.size() || !crd[at].isStop())
        return disagree(op);
      int64_t level = crd[at++].number;
      if (!token.isStop() && level > 0 &&
          (++i == stream.size() || stream[i] != Token::stop(level - 1)))
        return disagree(op);
      if (token.isStop() && level != token.number + 1)
        return disagree(op);
      out.push_back(Token::stop(level));
    }
    return at == crd.size() ? success() : disagree(op);
  }

  LogicalResult execute(JoinOp op) {
    size_t count = op.getCrds().size();
    std::vector<const Stream *> crds;
    std::vector<std::vector<const Stream *>> carried(count);
    std::vector<std::vector<Stream *>> kept(count);
    size_t number = 0;
    for (size_t i = 0; i < count; ++i) {
      crds.push_back(&get(op.getCrds()[i]));
      for (int64_t j = 0; j < op.getGroups()[i]; ++j, ++number) {
        carried[i].push_back(&get(op.getCarried()[number]));
        kept[i].push_back(&run.streams[op.getKept()[number]]);
      }
    }
    Stream &out = run.streams[op.getCrd()];
    std::vector<size_t> at(count);
    while (true) {
      std::optional<int64_t> least;
      size_t ended = 0, stopped = 0;
      for (size_t i = 0; i < count; ++i) {
        if (at[i] == crds[i]->size()) {
          ++ended;
          continue;
        }
        Token head = (*crds[i])[at[i]];
        if (head.isStop())
          ++stopped;
        else if (!least || head.number < *least)
          least = head.number;
      }
      if (ended == count)
        return success();
      if (ended > 0)
        return disagree(op);
      if (stopped == count) {
        Token stop = (*crds[0])[at[0]];
        for (size_t i = 0; i < count; ++i) {
          if ((*crds[i])[at[i]++] != stop)
            return disagree(op);
          for (Stream *stream : kept[i])
            stream->push_back(stop);
        }
        out.push_back(stop);
        continue;
      }
      size_t having = 0;
      auto has = [&](size_t i) {
        Token head = (*crds[i])[at[i]];
        return !head.isStop() && head.number == *least;
      };
      for (size_t i = 0; i < count; ++i)
        having += has(i);
      bool isTaken = !op.isIntersection() || having == count;
      if (isTaken)
        out.push_back(Token::at(*least));
      for (size_t i = 0; i < count; ++i) {
        bool isHere = has(i);
        for (size_t j = 0; isTaken && j < kept[i].size(); ++j)
          kept[i][j]->push_back(isHere ? (*carried[i][j])[at[i]] : Token());
        at[i] += isHere;
      }
    }
  }

  LogicalResult execute(LocateOp op) {
    const sparse::Tensor &tensor = *tensors.lookup(op.getTensor());
    int64_t extent = tensor.extentOfLevel(int(op.getLevel()));
    const Stream &refs = get(op.getRef()), &crd = get(op.getCrd());
    Stream &out = run.streams[op.getBelow()];
    out.reserve(crd.size());
    for (const Token &token : crd)
      if (token.kind == Token::Value && token.number >= extent)
        return isOutside(op, token, extent);
    if (refs.size() != crd.size())
      return disagree(op);
    for (auto [ref, c] : llvm::zip_equal(refs, crd)) {
      if (ref.isStop() != c.isStop())
        return disagree(op);
      out.push_back(ref.kind == Token::Value
                        ? Token::at(ref.number * extent + c.number)
                        : ref);
    }
    return success();
  }

  LogicalResult execute(ValuesOp op) {
    const sparse::Tensor &tensor = *tensors.lookup(op.getTensor());
    const Stream &refs = get(op.getRef());
    Stream &out = run.streams[op.getValues()];
    out.reserve(refs.size());
    int64_t known = tensor.valueCount();
    for (Token token : refs) {
      if (token.kind != Token::Value) {
        out.push_back(token);
        continue;
      }
      if (token.number >= known)
        return isOutside(op, token, known);
      touch(tensor, Values, token.number);
      ++run.words;
      out.push_back(Token::of(run.countsOnly ? 0 : tensor.value(token.number)));
    }
    return success();
  }

  LogicalResult unknown(Operation *op) {
    return report(op, diag::flow_unsupported)
           << "the region of '" << op->getName()
           << "' holds an operation that is not one of addf, subf, mulf, divf, "
              "negf, maximumf, minimumf, absf, erf, exp, log, sqrt, rsqrt, "
              "tanh "
              "and constants";
  }

  LogicalResult execute(ComputeOp op) {
    std::vector<const Stream *> inputs;
    for (Value stream : op.getStreams())
      inputs.push_back(&get(stream));
    Stream &out = run.streams[op.getValues()];
    out.reserve(inputs[0]->size());
    ScalarCode code(op.getBody().front());
    std::optional<double> ofAbsent;
    if (op.getAbsent())
      ofAbsent = op.getAbsent()->convertToDouble();
    SmallVector<double, 4> values;
    for (size_t i = 0; i < inputs[0]->size(); ++i) {
      Token first = (*inputs[0])[i];
      values.clear();
      size_t absent = 0;
      for (const Stream *input : inputs) {
        if (input->size() != inputs[0]->size() ||
            (*input)[i].isStop() != first.isStop())
          return disagree(op);
        absent += (*input)[i].kind == Token::Absent;
        values.push_back((*input)[i].kind == Token::Absent && ofAbsent
                             ? *ofAbsent
                             : (*input)[i].value());
      }
      if (first.isStop()) {
        out.push_back(first);
        continue;
      }
      bool isNone = absent == inputs.size() && !op.getAlways();
      if (isNone || (absent && !ofAbsent)) {
        out.push_back(Token());
        continue;
      }
      if (!code.isKnown())
        return unknown(op);
      out.push_back(Token::of(run.countsOnly ? 0 : code.evaluate(values)));
      run.operations += code.getOperations();
    }
    return success();
  }

  /// Combines `token` into `sum`; false for an unknown operation.
  bool combine(ScalarCode &code, Token &sum, Token token) {
    if (token.kind == Token::Absent)
      return true;
    if (sum.kind == Token::Absent) {
      sum = token;
      return true;
    }
    if (!code.isKnown())
      return false;
    if (!run.countsOnly)
      sum = Token::of(code.evaluate({sum.value(), token.value()}));
    run.operations += code.getOperations();
    return true;
  }

  LogicalResult execute(ReduceOp op) {
    return op.getKeys().empty() ? reduceFibers(op) : reduceByKeys(op);
  }

  LogicalResult reduceFibers(ReduceOp op) {
    const Stream &values = get(op.getValue());
    Stream &out = run.streams[op.getReduced()];
    // One fiber below the root counts as that of one element.
    static const Stream one = {Token::at(0)};
    const Stream &per = op.getPer() ? get(op.getPer()) : one;
    ScalarCode code(op.getBody().front());
    out.reserve(per.size());
    size_t at = 0;
    for (size_t i = 0; i < per.size(); ++i) {
      Token element = per[i], sum;
      if (!element.isStop())
        for (; at < values.size() && !values[at].isStop(); ++at)
          if (!combine(code, sum, values[at]))
            return unknown(op);
      if (at == values.size() || !values[at].isStop())
        return disagree(op);
      int64_t level = values[at++].number;
      if (element.isStop()) {
        if (level != element.number + 1)
          return disagree(op);
        out.push_back(element);
        continue;
      }
      if (sum.kind == Token::Absent && op.getEmpty())
        sum = Token::of(op.getEmpty()->convertToDouble());
      out.push_back(sum);
      if (level == 0)
        continue;
      if (++i == per.size() || per[i] != Token::stop(level - 1))
        return disagree(op);
      out.push_back(per[i]);
    }
    return at == values.size() ? success() : disagree(op);
  }

  LogicalResult reduceByKeys(ReduceOp op) {
    std::vector<const Stream *> keys;
    for (Value key : op.getKeys())
      keys.push_back(&get(key));
    const Stream &values = get(op.getValue());
    std::vector<Stream *> sorted;
    for (Value key : op.getSorted())
      sorted.push_back(&run.streams[key]);
    Stream &out = run.streams[op.getReduced()];
    ScalarCode code(op.getBody().front());
    Workspace sums(keys.size());
    if (keys.size() == 1)
      return reduceByKey(op, *keys[0], values, code, sums, sorted);
    Chain chain(keys);
    while (int step = chain.next()) {
      if (step < 0 || chain.getIndex() >= values.size() ||
          values[chain.getIndex()].isStop() != (step == 2))
        return disagree(op);
      Token value = values[chain.getIndex()];
      if (step == 1 && value.kind == Token::Value &&
          !combine(code, sums.at(chain.getCoordinates()), value))
        return unknown(op);
      if (step == 2 && chain.getLevel() >= int64_t(keys.size()))
        sums.empty(sorted, out, chain.getLevel() - 1);
    }
    return success();
  }

  /// Of one key, as in most workspaces, whose tokens stand beside the values.
  LogicalResult reduceByKey(ReduceOp op, const Stream &keys,
                            const Stream &values, ScalarCode &code,
                            Workspace &sums, ArrayRef<Stream *> sorted) {
    if (keys.size() != values.size())
      return disagree(op);
    Stream &out = run.streams[op.getReduced()];
    for (size_t i = 0; i < keys.size(); ++i) {
      if (keys[i].isStop() != values[i].isStop())
        return disagree(op);
      if (!keys[i].isStop()) {
        if (values[i].kind == Token::Value &&
            !combine(code, sums.at(ArrayRef(keys[i].number)), values[i]))
          return unknown(op);
      } else if (keys[i].number >= 1) {
        sums.empty(sorted, out, keys[i].number - 1);
      }
    }
    return success();
  }

  LogicalResult execute(ForkOp op) {
    std::vector<Stream *> shares;
    for (Value share : op.getShares())
      shares.push_back(&run.streams[share]);
    dealTokens(get(op.getStream()), int64_t(op.getChunk()), shares);
    return success();
  }

  LogicalResult execute(CollectOp op) {
    std::vector<const Stream *> shares;
    for (Value share : op.getShares())
      shares.push_back(&get(share));
    bool fits =
        collectTokens(shares, get(op.getPer()), op.getDepthBelow(),
                      int64_t(op.getChunk()), run.streams[op.getCollected()]);
    return fits ? success() : disagree(op);
  }

  LogicalResult execute(WriteOp op) {
    if (run.countsOnly &&
        llvm::all_of(op.getTensor().getUsers(), llvm::IsaPred<ReturnOp>))
      return success();
    sparse::Tensor &tensor = run.written[op.getName().str()];
    tensor = sparse::Tensor();
    auto type = cast<RankedTensorType>(op.getTensor().getType());
    tensor.format = describeFormat(type);
    tensor.element = type.getElementType().isF64() ? sparse::Element::F64
                                                   : sparse::Element::F32;
    for (auto [shape, axis] : llvm::zip_equal(op.getShape(), op.getAxes()))
      tensor.extents.push_back(tensors.lookup(shape)->extents[size_t(axis)]);
    std::vector<sparse::Entry> entries;
    std::string error;
    for (size_t part = 0; part < op.getParts() && error.empty(); ++part) {
      std::vector<const Stream *> crds;
      for (Value crd : op.getCrdsOf(part))
        crds.push_back(&get(crd));
      error = takeElements(crds, op.getLevelOrder(), get(op.getValues()[part]),
                           tensor, entries);
    }
    if (error.empty())
      error = buildTensor(tensor, std::move(entries),
                          op.getZero() ? op.getZero()->convertToDouble() : 0);
    if (!error.empty())
      return report(op, diag::einsum_run)
             << op.getName() << " cannot be written: " << error;
    tensors[op.getTensor()] = &tensor;
    int64_t words = wordsMoved(op, tensor);
    run.words += words;
    run.wordsWritten += words;
    if (run.lineBytes)
      lines.asked += llvm::divideCeil(words * sparse::sizeOf(tensor.element),
                                      run.lineBytes);
    return success();
  }

  GraphOp graph;
  GraphRun &run;
  llvm::DenseMap<Value, const sparse::Tensor *> tensors;
  llvm::DenseSet<Value> behindWorkspace;
  Lines lines;        ///< of the primitive that runs
  int lineShift = -1; ///< bits of a line's bytes, if they are a power of two
  int64_t made = 0;   ///< tokens, as they are
};

} // namespace

int64_t heddle::flow::wordsMoved(WriteOp op, const sparse::Tensor &tensor) {
  int64_t wordsOfElement = int64_t(tensor.extents.size()) + 1;
  return sparse::wordsOf(tensor) +
         (op.isMoved() ? 2 * tensor.valueCount() * wordsOfElement : 0);
}

LogicalResult heddle::flow::interpret(GraphOp graph, GraphRun &run) {
  LogicalResult done = Interpreter(graph, run).runAll();
  if (!run.keepsStreams)
    run.streams.clear();
  return done;
}
