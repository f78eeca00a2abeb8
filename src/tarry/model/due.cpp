// Rounds that have a due time: they are looked at again at shares of the time from their play to that (docs/theory.md,
// 12.2). Time is what plays and labels say it is.
#include <algorithm>

#include "tarry/model/model.h"

namespace tarry {
namespace {

double time_at(const DueTime& due, std::size_t look) { return due.played + due_at(look) * (due.due - due.played); }

}  // namespace

// It never goes back. Whatever moves it looks at the rounds that have come of age by then.
void Model::pass_time(const PlayTimes& times) {
  if (times.due) dated_ = true;
  if (wants_time() && times.now) now_ = std::max(now_, *times.now);
}

// The first look that is still to come.
void Model::expect_look(Round round, const DueTime& due) {
  for (std::size_t look = 0; look < kDueLooks; ++look)
    if (time_at(due, look) > now_) {
      due_looks_.insert({time_at(due, look), round, look});
      return;
    }
}

void Model::forget_look(Round round, const DueTime& due) {
  for (std::size_t look = 0; look < kDueLooks; ++look) due_looks_.erase({time_at(due, look), round, look});
}

// A round that is being answered was open at the looks since the last: its target does not move any more.
void Model::note_open_until(double now, Round round, const Context& context) {
  for (std::size_t look = 0; look < kDueLooks && time_at(context.due, look) <= now; ++look)
    if (time_at(context.due, look) > now_)
      learner_.comes_of_age({ledger_.own(round), look, context.prediction, context.memo.size(), true});
}

// Where several looks have passed at once, the round was open at each of them; its target moves once.
void Model::look_at_due() {
  while (!due_looks_.empty() && due_looks_.begin()->at <= now_) {
    const DueLook next = *due_looks_.begin();
    due_looks_.erase(due_looks_.begin());
    const PackedContext* waiting = ledger_.find(next.round);
    if (waiting == nullptr) continue;
    const DueTime due = waiting->unpack().due;
    Open open{ledger_.own(next.round), next.look, waiting->prediction(), waiting->memo_size(), true};
    bool moves = learner_.comes_of_age(open);
    for (; open.look + 1 < kDueLooks && time_at(due, open.look + 1) <= now_; ++open.look)
      moves = learner_.comes_of_age({open.round, open.look + 1, open.prediction, open.memo, true});
    if (moves) move_target(next.round, open, *waiting);
    expect_look(next.round, due);
  }
}

}  // namespace tarry
