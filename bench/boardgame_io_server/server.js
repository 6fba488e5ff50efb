// Liar's Dice on boardgame.io, in memory: the rules of examples/liars-dice with wild ones, as its documentation would
// have them written. Only the server moves (`client: false`), because dice are hidden. The state holds no more than the
// game needs, for boardgame.io sends all of it to every player after every move.

const { Server, Origins } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');

const seats = [0, 1, 2, 3];
const nextWithDice = (left, seat) => seats.map((step) => (seat + 1 + step) % 4).find((other) => left[other]);
const roll = (random, left) => left.map((count) => (count ? [].concat(random.D6(count)).sort() : []));

const bid = {
  client: false,
  move: ({ G, ctx, events }, count, face) => {
    const last = G.bid || { count: 0, face: 0 };
    const total = G.left.reduce((sum, each) => sum + each);
    const isHigher = count > last.count || (count === last.count && face > last.face);
    if (!isHigher || count > total || face < 2 || face > 6) return INVALID_MOVE;
    G.bid = { seat: Number(ctx.currentPlayer), count, face };
    G.moves += 1;
    events.endTurn({ next: String(nextWithDice(G.left, G.bid.seat)) });
  },
};

const challenge = {
  client: false,
  move: ({ G, ctx, events, random }) => {
    if (!G.bid) return INVALID_MOVE;
    const matching = G.cups.flat().filter((die) => die === 1 || die === G.bid.face).length;
    const loser = matching >= G.bid.count ? Number(ctx.currentPlayer) : G.bid.seat;
    G.last = { bid: G.bid, challenger: Number(ctx.currentPlayer), cups: G.cups, matching, loser };
    G.left[loser] -= 1;
    G.bid = null;
    G.moves += 1;
    const starter = G.left[loser] ? loser : nextWithDice(G.left, loser);
    if (G.left.filter((count) => count).length === 1) {
      events.endGame({ winner: String(starter) });
    } else {
      G.round += 1;
      G.cups = roll(random, G.left);
      events.endTurn({ next: String(starter) });
    }
  },
};

const game = {
  name: 'liars-dice',
  minPlayers: 4,
  maxPlayers: 4,
  disableUndo: true,
  setup: ({ random }) => {
    const left = [6, 6, 6, 6];
    return { moves: 0, round: 1, left, bid: null, last: null, cups: roll(random, left) };
  },
  playerView: ({ G, playerID }) => ({
    ...G,
    cups: G.cups.map((dice, seat) => (String(seat) === playerID ? dice : null)),
  }),
  moves: { bid, challenge },
};

Server({ games: [game], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
