"""From a line, actions and cards as people say them, to the decision after it and its place in the form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeGuard

from regretlab.endgames.betting import Deal, Decision, Node
from regretlab.endgames.cards import DECK, card_name
from regretlab.endgames.locks import CARD_OF
from regretlab.endgames.spot import Spot
from regretlab.endgames.spot_form import SUITS
from regretlab.endgames.suits import moved
from regretlab.errors import UserError, unknown
from regretlab.forms.blocks import BlockLayout, Shape, Streets


class Step(NamedTuple):
    """A block on the way to a node."""

    shape: int
    board: int
    above: tuple[int, int]  # both players' slots in the block above that lead to it
    entry: int  # where the block is entered


class Place(NamedTuple):
    """Where a decision is."""

    node: Decision
    line: tuple[str, ...]  # actions and cards
    done: Streets  # actions before each card, and since the last one
    steps: tuple[Step, ...]  # from the first block to that of the decision
    suits: tuple[int, ...]  # what each suit of the block's board is called by who asks

    @property
    def paid(self) -> tuple[int, int]:
        """What each player has put in since the spot began."""
        return paid(self.line)


def paid(line: Sequence[str]) -> tuple[int, int]:
    """What each player has put in along a line since the spot began."""
    before, bets, player = 0, [0, 0], 0
    for word in line:
        if word in CARD_OF:  # a street is over when both have put in the same
            before, bets, player = before + bets[0], [0, 0], 0
            continue
        if word == "call":
            bets[player] = bets[1 - player]
        elif word not in ("check", "fold"):
            bets[player] = int(word.split()[1])
        player = 1 - player
    return before + bets[0], before + bets[1]


def last_slot(shape: Shape, player: int, done: Streets, entry: int) -> int:
    """The slot of a player's last action in a block in which so much was done; the entry if there was none."""
    *before, since = done
    for length in reversed(range(len(since))):
        line = (*before, since[:length])
        if line in shape.lines[player]:
            number = shape.lines[player].index(line)
            return shape.firsts[player][number] + shape.moves[player][number].index(since[length])
    return entry


def node_after(spot: Spot, given: Sequence[str]) -> tuple[Node, tuple[str, ...]]:
    """What follows a line, and the line as it is written here. Words may be given one by one or with commas between
    them."""
    node: Node = spot.betting
    line: tuple[str, ...] = ()
    for word in line_as_said(given):
        said = f"after '{', '.join(line)}'" if line else "at the beginning"
        if isinstance(node, Decision):
            if word in CARD_OF:
                raise UserError(f"no card is turned up {said}, where {word} stands; there: {', '.join(node.actions)}")
            if word not in node.actions:
                raise unknown(f"action {said}", word, node.actions)
            node = node.after[node.actions.index(word)]
        elif awaits_card(node):
            free = free_cards(spot, line)
            if word not in free:
                if word in CARD_OF:
                    raise UserError(f"{word} can't be turned up {said}: it is on the board already")
                raise unknown(f"card {said}", word, free)
            node = node.after
        else:
            raise UserError(f"nobody acts {said}, where '{word}' stands: {_OVER}")
        line = (*line, word)
    return node, line


def awaits_card(node: Node) -> TypeGuard[Deal]:
    """Whether a card is turned up after which somebody acts."""
    return isinstance(node, Deal) and isinstance(node.after, Decision)


def find(spot: Spot, layout: BlockLayout, given: Sequence[str]) -> Place:
    """The decision after a line."""
    node, line = node_after(spot, given)
    if awaits_card(node):
        raise UserError(
            f"after '{', '.join(line)}' a card is turned up; name it too, such as {free_cards(spot, line)[-1]}"
        )
    if not isinstance(node, Decision):
        raise UserError(f"nobody acts after '{', '.join(line)}': {_OVER}")
    done: Streets = ((),)
    steps, suits = [Step(0, 0, (0, 0), 0)], tuple(range(SUITS))
    for word in line:
        if word in CARD_OF:
            step, suits = _turned(layout, steps[-1], done, suits, CARD_OF[word])
            steps.append(step)
            done = (*done, ())
        else:
            done = (*done[:-1], (*done[-1], word))
    return Place(node, line, done, tuple(steps), suits)


_OVER = "somebody has folded, or all that is left are cards and the showdown"


def line_as_said(given: Sequence[str]) -> list[str]:
    """The words of a line as they are written here; people may write small or capital letters."""
    for each in given:
        if not isinstance(each, str):
            raise UserError(f"{each!r:.40} is neither an action nor a card; write them like 'check', 'bet 100', '8c'")
    words = [" ".join(word.split()) for each in given for word in each.split(",") if word.strip()]
    cards = {word: word[0].upper() + word[1:].lower() for word in words}
    return [cards[word] if cards[word] in CARD_OF else word.lower() for word in words]


def free_cards(spot: Spot, line: tuple[str, ...]) -> list[str]:
    """The cards that may be turned up after a line."""
    seen = spot.board_after(line)
    return [card_name(card) for card in range(DECK) if card not in seen]


def _turned(
    layout: BlockLayout, last: Step, done: Streets, suits: tuple[int, ...], card: int
) -> tuple[Step, tuple[int, ...]]:
    """The block after a card, and what its suits are called. Of boards that only suits tell apart there is one."""
    above = layout.shapes[last.shape]
    slots = last_slot(above, 0, done, last.entry), last_slot(above, 1, done, last.entry)
    link = next(link for link in above.links if slots in link.slots)
    meant = card - card % SUITS + suits.index(card % SUITS)  # the same card as the board above calls it
    for number in layout.boards[last.board].children:
        board = layout.boards[number]
        for image in board.suits:
            if moved(CARD_OF[board.turned[-1]], image) == meant:
                step = Step(link.shape, number, slots, link.slots.index(slots))
                return step, tuple(suits[suit] for suit in image)
    raise AssertionError(f"no board has {card_name(card)}")
