// Made from the structs of the server by `python -m tichu.server.wire.codegen`: do not edit.

export type CommandId = string;

export type Card = string;

export type CardList = readonly Card[];

export type Seat = number;

export type Rank = "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K" | "A";

export type RankInput = "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "10" | "J" | "Q" | "K" | "A";

export type Name = string;

export type Phase = "TICHU.DEAL_PART1" | "TICHU.DECLARE_GRAND_WINDOW" | "TICHU.DEAL_PART2" | "TICHU.EXCHANGE_SELECT" | "TICHU.EXCHANGE_COMMIT" | "TICHU.TRICK_PLAY" | "TICHU.DRAGON_DONATE" | "TICHU.ROUND_END" | "TICHU.NEXT_ROUND_OR_END" | "TICHU.GAME_END";

export type ComboType = "SINGLE" | "PAIR" | "TRIPLE" | "FULL_HOUSE" | "STRAIGHT" | "PAIR_STRAIGHT" | "TRIPLE_STRAIGHT" | "FOUR_STRAIGHT" | "DOG" | "BOMB4" | "BOMB_STRAIGHT_FLUSH";

export type EmoteName = "hello" | "well_played" | "thanks" | "sorry" | "wow" | "hurry" | "laugh" | "goodbye";

export type AvatarChoice = "cat" | "crane" | "fox" | "frog" | "hare" | "koi" | "monkey" | "owl" | "ox" | "panda" | "tiger" | "turtle";

export type Avatar = AvatarChoice | "fan" | "gong" | "lantern" | "teapot";

export type Decision = "grand" | "exchange" | "play" | "wish" | "gift" | "bomb" | "ready";

export type TableEvent = Opened | Seated | Committed | Dealt | Acted | RoundOver | Paused | Resumed | Waited | Said | Emoted;

export type Action = DeclareGrandTichu | DeclineGrandTichu | DeclareTichu | SelectExchange | ConfirmExchange | PlayCards | PlayBomb | Pass | DeclineBomb | Wish | DragonDonate;

export type TableCommand = Sit | Stand | Swap | PutBot | Remove | ChangeSettings | Start | Ready | Pause | Resume | Assist | StandIn | Wait | SetPace | SetAvatar | AutoPass | CommitNonce | Nonce | Say | Emote;

export type FromClient = Action | TableCommand | Hello | Ping | Check | Hint;

export type Answer = Ack | Refused | Checked | Hinted | ErrorMessage;

export type FromServer = Answer | Welcome | EventMessage | State | Pong;

export type PlayerKind = "person" | "bot";

export type ReportReason = "abuse" | "cheating" | "name" | "leaving" | "other";

export type ReviewKind = "grand" | "exchange" | "tichu" | "lead" | "follow" | "wish" | "gift" | "bomb";

export type ReviewReasonKind = "self_first" | "partner_first" | "opponent_first" | "double_won" | "double_lost" | "dragon" | "self_dragon" | "partner_dragon" | "opponent_dragon" | "own_bomb" | "opponents_bomb" | "bomb_stays" | "bomb_broken" | "card_points";

export type ReviewVerdict = "same" | "unclear" | "inaccuracy" | "mistake" | "blunder" | "failed";

export type TrainerName = "grand" | "tichu" | "exchange";

export type PuzzleTheme = "call" | "exchange" | "bomb" | "wish" | "gift" | "endgame" | "lead" | "follow";

export type Command = Action | TableCommand;

/** The command is stored and done. */
export interface Ack {
  readonly type: "ack";
  /** The id of the command. */
  readonly id: string;
  /** The version of the table after the command. */
  readonly version: number;
}

/** A seat did something, in TTN as this seat may see it, and spelled out. */
export interface Acted {
  readonly type: "acted";
  /** Whose action it is. */
  readonly seat: Seat;
  /** `2:7s7b`; `2>` for an exchange and `2` for a Grand decision that are not shown yet. */
  readonly text: string;
  /** `grand_hidden`: a Grand decision that is not shown yet; `take`: the trick goes to its owner or is given away. */
  readonly what: "grand" | "no_grand" | "grand_hidden" | "tichu" | "exchange" | "play" | "pass" | "wish" | "take";
  /** What was played, as it lies there; null for anything but `play`. */
  readonly combination?: Combination | null;
  /** The rank of a wish, `NONE` for none; null for anything but `wish`. */
  readonly rank?: string | null;
  /** To whom the Dragon's trick went; null for any other. */
  readonly recipient?: Seat | null;
  /** Set when somebody else decided for the seat: a bot because the clock had run out, or a bot that was asked to. */
  readonly by?: "clock" | "bot" | null;
}

/** Let a bot take the next decision of an absent person. */
export interface Assist {
  readonly type: "TABLE.ASSIST";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** Whose decision is waited for. */
  readonly seat: Seat;
}

/** Pass without being asked, this turn or this trick, as far as a wish allows. */
export interface AutoPass {
  readonly type: "TABLE.AUTO_PASS";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** `turn`: once, `trick`: until the trick is taken, `off`: no longer. */
  readonly until: "off" | "turn" | "trick";
}

/** The host changes what is played next, before a game or after it; a given deal or position stays as it is. */
export interface ChangeSettings {
  readonly type: "TABLE.CHANGE_SETTINGS";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** All of them, not only what changes; what is left out has its default. */
  readonly settings: Settings;
}

/** Asks what these cards can be played as now. */
export interface Check {
  readonly type: "check";
  /** Chosen by the client; the answer has it again. */
  readonly id: CommandId;
  /** Cards of the own hand, in any order. */
  readonly cards: CardList;
}

/** What the cards can be played as, or why not. */
export interface Checked {
  readonly type: "checked";
  /** The id of the question. */
  readonly id: string;
  /** What the cards can be played as now; with a reason, what they would be if they could be played. Absent: []. */
  readonly readings?: readonly Combination[];
  /** Why they cannot be played now, by the same names as `refused`; null if they can. */
  readonly reason?: string | null;
  /** The reason as an English sentence; null if they can be played. */
  readonly message?: string | null;
}

/** Seconds per decision, and a reserve per game. */
export interface Clock {
  /** Seconds for each decision, before the reserve is touched. */
  readonly decision: number;
  /** Seconds that each seat has in the whole game for decisions that take longer. Absent: 0. */
  readonly reserve?: number;
}

/** A combination as it can be shown and played. */
export interface Combination {
  /** In the order in which TTN writes them. */
  readonly cards: readonly Card[];
  /** The names of the single-round game, and ours in the same manner. */
  readonly type: ComboType;
  /** `2` to `A`, `1` for the Mah Jong, `Ph` led alone, `Dr`, `Do`. */
  readonly rank: string;
  /** The rank of the pair in a full house; null for all others. */
  readonly withRank?: string | null;
  /** How many cards. */
  readonly length: number;
  /** The rank that the Phoenix stands for; null without it, or where it stands for none. */
  readonly phoenixAs?: string | null;
  /** Whether it beats everything that is no bomb, and may come out of turn where the rules have it so. Absent: false. */
  readonly isBomb?: boolean;
  /** As in TTN, with the Phoenix's reading. */
  readonly text: string;
}

/** The hash of the player's share in the shuffle, given after the table has committed itself. */
export interface CommitNonce {
  readonly type: "TABLE.COMMIT_NONCE";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** SHA-256 in hexadecimal; `tichu.core.fairness` says of what. */
  readonly commitment: string;
}

/** The shuffle of the next deal has come further; the table state says how far. */
export interface Committed {
  readonly type: "committed";
  /** The round that the deal is for, counted from 0. */
  readonly round: number;
  /** The hash of the seed. */
  readonly commit: string;
  /** The table has chosen the seed; a seat has committed to its nonce; the set of those commitments is fixed. Absent: "seed". */
  readonly what?: "seed" | "nonce" | "set";
  /** Whose nonce; null if `what` is not `nonce`. */
  readonly seat?: Seat | null;
}

/** Give the three cards of the draft, or these. */
export interface ConfirmExchange {
  readonly type: "TICHU.CONFIRM_EXCHANGE";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** The card for the seat to the left (the own number plus 1); null for the one of the draft. */
  readonly left?: Card | null;
  /** The card for the partner (plus 2); null for the one of the draft. */
  readonly partner?: Card | null;
  /** The card for the seat to the right (plus 3); null for the one of the draft. */
  readonly right?: Card | null;
}

/** A round begins. */
export interface Dealt {
  readonly type: "dealt";
  /** The number of the round, counted from 0. */
  readonly round: number;
}

/** What a deal came from (`tichu.core.fairness`); by seat, empty for none. */
export interface DealProof {
  /** Which way leads from these to the deal; it is stated with its number. */
  readonly derivation: number;
  /** The table's share, hexadecimal; its SHA-256 was shown before. */
  readonly seed: string;
  /** To the nonces; `~` before one that the table made for a nonce given without. Derivation 1 has none. */
  readonly commitments: readonly string[];
  /** The players' shares, hexadecimal. */
  readonly nonces: readonly string[];
}

/** Call Grand Tichu on eight cards. */
export interface DeclareGrandTichu {
  readonly type: "TICHU.DECLARE_GRAND_TICHU";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** Call Tichu. */
export interface DeclareTichu {
  readonly type: "TICHU.DECLARE_TICHU";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** How the cards are meant; only what the Phoenix leaves open must be said. */
export interface DeclaredCombo {
  /** Which kind of combination; null leaves it to the cards, as in all fields of this. */
  readonly type?: ComboType | null;
  /** The rank as `rank` of a combination has it; a ten is `T` or `10`. */
  readonly highRank?: string | null;
  /** How many cards, the Phoenix among them. */
  readonly length?: number | null;
  /** Of a straight flush: `s`, `b`, `g`, `r`, or `♠`, `♦`, `♣`, `♥`. */
  readonly suit?: string | null;
  /** The rank that the Phoenix stands for. */
  readonly phoenixAs?: RankInput | null;
  /** The wish that comes with the Mah Jong; `NONE` wishes for nothing, absent leaves it to `TICHU.WISH`. */
  readonly wishRank?: RankInput | "NONE" | null;
}

/** Asked (`bombs=ordered`), and do not bomb (ours). */
export interface DeclineBomb {
  readonly type: "TICHU.DECLINE_BOMB";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** Do not call Grand Tichu (ours: the other game lets the window run out). */
export interface DeclineGrandTichu {
  readonly type: "TICHU.DECLINE_GRAND_TICHU";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** Give the Dragon's trick to an opponent, named by seat. */
export interface DragonDonate {
  readonly type: "TICHU.DRAGON_DONATE";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** One of `recipients` of the view. */
  readonly toOpponentPlayerId: Seat;
}

/** One of the fixed emotes. */
export interface Emote {
  readonly type: "TABLE.EMOTE";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** Everybody sees it in their own language. */
  readonly emote: EmoteName;
}

/** Somebody showed an emote. */
export interface Emoted {
  readonly type: "emoted";
  /** The name that they had then. */
  readonly name: string;
  /** The public id of whoever showed it, to mute them by. */
  readonly player: string;
  /** Everybody sees it in their own language. */
  readonly emote: EmoteName;
  /** Where they sit; null for a spectator. */
  readonly seat?: Seat | null;
  /** Whether the name is that of an account; guests may take any other. Absent: false. */
  readonly account?: boolean;
}

/** A message that could not be read, or a socket that is closed; nothing was changed. */
export interface ErrorMessage {
  readonly type: "error";
  /** `malformed`: the message names the place; `busy`: try again; `closing`: the server stops; `banned`: the operator lets you in no longer. */
  readonly code: "malformed" | "too_large" | "too_fast" | "no_such_table" | "not_seated" | "busy" | "closing" | "banned";
  /** An English sentence. */
  readonly message: string;
  /** The id of the message, if it could be read; else null. */
  readonly id?: string | null;
}

/** One event. Every seat gets the same versions; the view is the state after it. */
export interface EventMessage {
  readonly type: "event";
  /** Counts the events of the table; the next one has one more. */
  readonly version: number;
  /** As this seat may know it. */
  readonly event: TableEvent;
  /** The phases entered by it, the last of them the current one. Absent: []. */
  readonly phases?: readonly Phase[];
  /** The state after it; absent where nothing in it changed. */
  readonly table?: TableState;
  /** The view after it, complete; absent where a later event of the same moment carries it, null before a game. */
  readonly view?: SeatView | null;
}

/** Who played the game that is over, by seat; for the rematch they may sit elsewhere. */
export interface FinalSeats {
  /** As they were when the game ended. */
  readonly names: readonly string[];
  /** Public ids, empty for bots. */
  readonly players: readonly string[];
}

/** A card from or for another seat in the exchange. */
export interface Gift {
  /** The other seat. */
  readonly seat: Seat;
  /** The one card that goes from one to the other. */
  readonly card: Card;
}

/** The first message of a socket: which table, who, and the last version seen. */
export interface Hello {
  readonly type: "hello";
  /** The id of the table. */
  readonly table: string;
  /** What an earlier welcome gave; without it the server makes a new player. */
  readonly token?: string | null;
  /** The key of a seat link, which goes before the token; one that has ended changes nothing. */
  readonly key?: string | null;
  /** For a new player, or a new name; empty keeps the name that the player has. The name of an account is left out. Absent: "". */
  readonly name?: Name;
  /** The last version seen: `missed` of the welcome begins after it. Null asks for nothing missed. */
  readonly since?: number | null;
  /** What a browser has drawn by chance and kept, to tell when two players of a rated match sit at one; never stored. Absent: "". */
  readonly device?: string;
}

/** Asks what a bot would do. Only at casual tables. */
export interface Hint {
  readonly type: "hint";
  /** Chosen by the client; the answer has it again. */
  readonly id: CommandId;
}

/** Something that is true of a play, for words of the game. */
export interface HintFact {
  /** What is true; the other fields say of whom, of what and how many, as the code needs it. */
  readonly code: "last" | "beats" | "stops" | "over_partner" | "to_partner" | "partner_holds" | "helps" | "partner_called" | "points" | "keeps" | "keeps_bomb" | "splits_bomb" | "left" | "holds" | "gives_partner" | "more_cards";
  /** Whom it is about; null if nobody. */
  readonly seat?: Seat | null;
  /** Which cards it is about; empty if none. Absent: []. */
  readonly cards?: readonly Card[];
  /** What it is about, such as what is beaten; null if nothing. */
  readonly combination?: Combination | null;
  /** Points, or how many cards; null if nothing is counted. */
  readonly count?: number | null;
}

/** What a bot would do, and why. */
export interface Hinted {
  readonly type: "hinted";
  /** The id of the question. */
  readonly id: string;
  /** The action as TTN. */
  readonly text: string;
  /** The same kinds as in `acted`, and `no_bomb`. */
  readonly what: string;
  /** To play, or to give to the left, to the partner and to the right; else empty. Absent: []. */
  readonly cards?: readonly Card[];
  /** What the cards are played as; null for anything but a play. */
  readonly combination?: Combination | null;
  /** What to wish for, `NONE` for nothing; null for anything but a wish. */
  readonly rank?: string | null;
  /** To whom the Dragon's trick should go; null for anything else. */
  readonly recipient?: number | null;
  /** Why, as a word for translation; `words` says it in English. */
  readonly code: string;
  /** What the reason's sentence needs: cards, numbers, names. Absent: {}. */
  readonly arguments?: { readonly [name: string]: string | number };
  /** The reason as an English sentence. */
  readonly words: string;
  /** What the play does, from what the seat sees; the most important first. Absent: []. */
  readonly facts?: readonly HintFact[];
}

/** The player's share in the shuffle, hexadecimal: opens a commitment once the set of them is fixed. A program that knows no commitments gives it before; then the deal is not proved for its seat. */
export interface Nonce {
  readonly type: "TABLE.NONCE";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** Drawn anew for every deal; what was committed to, if anything was. */
  readonly nonce: string;
}

/** The table was made. */
export interface Opened {
  readonly type: "opened";
}

/** Play nothing this turn. */
export interface Pass {
  readonly type: "TICHU.PASS";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** The host stops clocks and bots. */
export interface Pause {
  readonly type: "TABLE.PAUSE";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** Clocks and bots stand still. */
export interface Paused {
  readonly type: "paused";
  /** `host`: somebody asked for it; `nobody`: all players are away; `agreed`: all players wanted it. */
  readonly why: "host" | "nobody" | "agreed";
}

/** Asks whether the server is there. */
export interface Ping {
  readonly type: "ping";
}

/** One turn of a trick; a pass has no combination. */
export interface Play {
  /** Whose turn it was. */
  readonly seat: Seat;
  /** What was played; null for a pass. */
  readonly combination?: Combination | null;
}

/** Play a bomb, in or out of turn. */
export interface PlayBomb {
  readonly type: "TICHU.PLAY_BOMB";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** All cards of the bomb, in any order. */
  readonly cards: CardList;
  /** Never needed; what is said must be so. */
  readonly declaredCombo?: DeclaredCombo | null;
}

/** Play a combination in turn. */
export interface PlayCards {
  readonly type: "TICHU.PLAY_CARDS";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** All cards of the combination, in any order. */
  readonly cards: CardList;
  /** Needed where the Phoenix leaves several readings, or to wish with the Mah Jong. */
  readonly declaredCombo?: DeclaredCombo | null;
}

/** Here. */
export interface Pong {
  readonly type: "pong";
  /** The server's clock, in milliseconds since 1970. */
  readonly now: number;
}

/** The host puts a bot into a seat that no person holds. */
export interface PutBot {
  readonly type: "TABLE.PUT_BOT";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** A free one, or that of another bot. */
  readonly seat: Seat;
  /** A name of `/api/bots`. */
  readonly bot: string;
}

/** Go on to the next round, or after a game to a rematch. A round starts when all persons are ready or after a while, a rematch when all who are still there are ready. */
export interface Ready {
  readonly type: "TABLE.READY";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** The command changed nothing. */
export interface Refused {
  readonly type: "refused";
  /** The id of the command. */
  readonly id: string;
  /** The name of a `Reason` of the core, or one of the table's own. */
  readonly reason: string;
  /** The reason as an English sentence. */
  readonly message: string;
  /** The version of the table as far as this player has seen it. */
  readonly version: number;
  /** The fresh view, where the command was made for an old one; else absent. */
  readonly view?: SeatView | null;
}

/** The host empties a seat. */
export interface Remove {
  readonly type: "TABLE.REMOVE";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** The seat to empty. */
  readonly seat: Seat;
}

/** Go on after a pause. */
export interface Resume {
  readonly type: "TABLE.RESUME";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** The game goes on. */
export interface Resumed {
  readonly type: "resumed";
}

/** The round is scored and everything is open. */
export interface RoundOver {
  readonly type: "round_over";
  /** Points, calls and the order of going out. */
  readonly result: RoundResult;
  /** All hands as they were dealt, as in TTN; null for a round that began with a position. */
  readonly deal?: string | null;
  /** What the deal came from; absent for a given one. */
  readonly proof?: DealProof | null;
  /** What is left in the hands, by seat. Absent: []. */
  readonly hands?: readonly (readonly Card[])[];
}

/** How a round ended; pairs are team 0+2, team 1+3. */
export interface RoundResult {
  /** The number of the round, counted from 0. */
  readonly round: number;
  /** Card points by team, or 200 and 0 after a double victory. */
  readonly points: readonly [number, number];
  /** What the calls of each team have won and lost, in points. */
  readonly bonus: readonly [number, number];
  /** Both together: what the round adds to the match. */
  readonly score: readonly [number, number];
  /** Seats in the order of going out; only two after a double victory. */
  readonly out: readonly number[];
  /** `-`, `T` or `G` by seat. */
  readonly calls: readonly string[];
  /** Whether partners were first and second. Absent: false. */
  readonly doubleVictory?: boolean;
}

/** Somebody said something. */
export interface Said {
  readonly type: "said";
  /** The name that they had then. */
  readonly name: string;
  /** The public id of whoever said it, to mute them by. */
  readonly player: string;
  /** Plain text, never markup. */
  readonly text: string;
  /** Where they sit; null for a spectator. */
  readonly seat?: Seat | null;
  /** Whether the name is that of an account; guests may take any other. Absent: false. */
  readonly account?: boolean;
}

/** Say something to everybody at the table. */
export interface Say {
  readonly type: "TABLE.SAY";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** What cannot be seen is left out of it. */
  readonly text: string;
}

/** Who sits where. */
export interface SeatState {
  /** Empty for a free seat. */
  readonly name: string;
  /** The public id of a person; null for a bot and a free seat. */
  readonly player: string | null;
  /** The bot that plays here, by a name of `/api/bots`; null for a person and a free seat. */
  readonly bot: string | null;
  /** Whether the person is there; bots always are. */
  readonly connected: boolean;
  /** Ready for the next round, or for a rematch. */
  readonly ready: boolean;
  /** The picture; null for a person who has chosen none. */
  readonly avatar?: Avatar | null;
  /** A bot decides for the person until they are back. Absent: false. */
  readonly standIn?: boolean;
  /** When being away counts as having left; null for whoever is there, and where it never does. */
  readonly leavesAt?: number | null;
  /** Whether the person has an account, whose name nobody else has; others are guests. Absent: false. */
  readonly account?: boolean;
  /** Whose seat the person would like to have; they swap when that one asks for the same (`TABLE.SWAP`). */
  readonly swapWith?: Seat | null;
}

/** A running clock: when the decision's time ends, and the reserve after it. */
export interface SeatTime {
  /** Whose decision it is. */
  readonly seat: Seat;
  /** When the time for the decision is over, in milliseconds since 1970 by the server's clock. */
  readonly ends: number;
  /** When the reserve is used up as well, by the same clock: then a bot decides. */
  readonly reserveEnds: number;
}

/** The round as one seat sees it, with what it may do; for a spectator without hand and a trick behind. */
export interface SeatView {
  /** Whose view it is; null for a spectator. */
  readonly seat: Seat | null;
  /** Where the round is, also before the cards, between rounds and after the last one. */
  readonly phase: Phase;
  /** What this seat is to decide now; null for nothing. */
  readonly decision: Decision | null;
  /** The seats that must decide, as far as this seat knows. */
  readonly pending: readonly number[];
  /** The seat's cards, eight during the Grand calls; empty for a spectator. */
  readonly hand: readonly Card[];
  /** How many cards each seat holds. */
  readonly counts: readonly number[];
  /** What lies on the table; null if the next play leads. */
  readonly top: Top | null;
  /** The trick in progress, in the order of play. */
  readonly trick: readonly Play[];
  /** The one before, in the order of play; empty if there was none. */
  readonly lastTrick: readonly Play[];
  /** Who got the last trick; null if there was none. */
  readonly lastTaker: number | null;
  /** Card points in the tricks that each seat has taken. */
  readonly points: readonly number[];
  /** Card points of the trick in progress. */
  readonly pointsOnTable: number;
  /** The rank that stands as a wish; null for none. */
  readonly wish: string | null;
  /** By seat: `-`, `T`, `G`, or `?` for a decision that is made and not yet shown. */
  readonly calls: readonly string[];
  /** Seats that have no cards left, in the order of going out. */
  readonly out: readonly number[];
  /** What the seat has laid out for the exchange, and for whom. */
  readonly draft: readonly Gift[];
  /** What the seat has given in the exchange, and to whom. */
  readonly given: readonly Gift[];
  /** What the seat has got in the exchange, and from whom; empty until all have given. */
  readonly received: readonly Gift[];
  /** Whether the seat may call Tichu now. */
  readonly mayCall: boolean;
  /** Whether the call needs a second thought: the partner has called, or somebody is out. */
  readonly callDoubtful: boolean;
  /** Whether it is the seat's turn and passing is allowed. */
  readonly mayPass: boolean;
  /** To whom the Dragon's trick may go, if that is what this seat decides; else empty. */
  readonly recipients: readonly number[];
  /** Ranks that may be wished for, with `NONE` where it is allowed, if that is what this seat decides. */
  readonly wishes: readonly string[];
  /** Plays for the seat's turn, one of each kind and rank; there may be others. */
  readonly suggestions: readonly Combination[];
  /** Bombs in the hand; `canBomb` says whether one may be thrown now. */
  readonly bombs: readonly Combination[];
  /** Whether one of them may be thrown now, in or out of turn. */
  readonly canBomb: boolean;
  /** The time in which a bomb comes first; null if none runs. */
  readonly window: BombWindow | null;
  /** How often the seat may still hold a window open in this round. */
  readonly waitsLeft: number;
  /** Those that run now; empty at a table without a clock. */
  readonly clocks: readonly SeatTime[];
  /** What the seat has asked for with `TABLE.AUTO_PASS`. */
  readonly autoPass: "off" | "turn" | "trick";
  /** The score of the match before this round: own team, other team; for a spectator team 0+2, team 1+3. */
  readonly score: readonly [number, number];
  /** The same as TTN, for programs; empty between rounds and for a spectator. */
  readonly position: string;
  /** The server's clock when this was made, in milliseconds since 1970: times in here are to be compared with it. */
  readonly now: number;
  /** Who made the wish that stands; null without one, or if that is not known. */
  readonly wishedBy?: Seat | null;
  /** Whether the seat holds the wished rank, can play it now and so must. Absent: false. */
  readonly wishOwed?: boolean;
}

/** How far the shuffle has come, until the round is over; by seat, empty for none. */
export interface ShuffleState {
  /** Which way leads to the deal; in the first, players give their nonces at once. */
  readonly derivation: number;
  /** To the nonces; `~` before one that the table made for a nonce given without. */
  readonly commitments: readonly string[];
  /** Whether the set of commitments is fixed: then they are opened. */
  readonly fixed: boolean;
  /** Empty until the cards are dealt. */
  readonly nonces: readonly string[];
}

/** Seats, host, stage or settings changed; the table state says how. */
export interface Seated {
  readonly type: "seated";
  /** `stand_in`: a bot decides for somebody who is away; `back`: no longer. `left`: somebody left a rated game and has lost it. */
  readonly what: "sit" | "stand" | "swap" | "bot" | "remove" | "host" | "start" | "ready" | "over" | "stand_in" | "back" | "settings" | "left";
  /** The seat that it is about; null where it is about no single one. */
  readonly seat?: Seat | null;
}

/** Lay cards out for the exchange: a draft that only the seat itself sees. */
export interface SelectExchange {
  readonly type: "TICHU.SELECT_EXCHANGE";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** The card for the seat to the left (the own number plus 1); null lays none there, or takes it back. */
  readonly left?: Card | null;
  /** The card for the partner (plus 2); null lays none there, or takes it back. */
  readonly partner?: Card | null;
  /** The card for the seat to the right (plus 3); null lays none there, or takes it back. */
  readonly right?: Card | null;
}

/** Choose the picture at your seat, or none. */
export interface SetAvatar {
  readonly type: "TABLE.AVATAR";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** The picture to show; null for none. */
  readonly avatar?: AvatarChoice | null;
}

/** Have the bots decide faster or slower: for the host, or whoever plays with bots alone. The time for bombs stays what it was when the table was made. */
export interface SetPace {
  readonly type: "TABLE.PACE";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** A factor of the usual time: 0.5 takes half of it, 2 twice as long. */
  readonly pace: number;
}

/** Take a free seat, or the seat of a bot where a person may join. */
export interface Sit {
  readonly type: "TABLE.SIT";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** The seat to take. */
  readonly seat: Seat;
  /** Shown at the table from now on; empty for the name that the player has. Absent: "". */
  readonly name?: Name;
}

/** Leave your seat; during a game a bot plays on until somebody sits down. */
export interface Stand {
  readonly type: "TABLE.STAND";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** Let a bot take the decisions of an absent person until they are back. */
export interface StandIn {
  readonly type: "TABLE.STAND_IN";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** Whose decisions a bot takes from now on. */
  readonly seat: Seat;
}

/** The host starts the game, or after its end a rematch. */
export interface Start {
  readonly type: "TABLE.START";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** How things stand: presence changed, a clock or window moved, or a slow socket lost events. */
export interface State {
  readonly type: "state";
  /** The version of the last event that this tells of. */
  readonly version: number;
  /** What everybody may know. */
  readonly table: TableState;
  /** The round as this seat sees it; null before the first game. */
  readonly view?: SeatView | null;
}

/** Exchange two seats before the game or after it; a player moves their own seat, the host any. Whoever sits in the other seat is asked (`swapWith` of the seat), and agrees with the same command. */
export interface Swap {
  readonly type: "TABLE.SWAP";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** One of the two seats; free ones can be swapped too. */
  readonly first: Seat;
  /** The other of the two; the own seat with itself takes back what was asked for. */
  readonly second: Seat;
}

/** What everybody may know about a table. */
export interface TableState {
  /** Unguessable; the link has it. */
  readonly id: string;
  /** Six letters and digits, to be told to a friend. */
  readonly code: string;
  /** What the host calls the table; may be empty. */
  readonly name: string;
  /** The preset and what differs from it, as in `docs/rules.md`: `standard goal=target:500`. */
  readonly rules: string;
  /** The first word of `rules`. */
  readonly preset: string;
  /** How long decisions may take; null for as long as they need. */
  readonly clock: Clock | null;
  /** Not in the list of tables; whoever has the link or the code can come. */
  readonly private: boolean;
  /** Whether there are hints, given deals and positions; such games count in no statistics. */
  readonly casual: boolean;
  /** The public id of the host; null if nobody is. */
  readonly host: string | null;
  /** `open`: before the first game; `over`: a game has ended and a rematch can begin. */
  readonly stage: "open" | "playing" | "paused" | "over";
  /** Four, numbered to the left; partners sit at 0+2 and 1+3. */
  readonly seats: readonly SeatState[];
  /** How many people watch. */
  readonly spectators: number;
  /** The id of the game in progress or just finished; null before the first and for one without a whole record. */
  readonly game: string | null;
  /** The round in progress or to come, counted from 0. */
  readonly round: number;
  /** The score of the match, in points: team 0+2, team 1+3. */
  readonly score: readonly [number, number];
  /** The rounds of this game that are over. */
  readonly results: readonly RoundResult[];
  /** The team that has won: 0 for seats 0+2, 1 for seats 1+3; null until then. */
  readonly winner: number | null;
  /** SHA-256 of the seed of the next deal, until the round is over; null for a given deal and before a game. */
  readonly commit: string | null;
  /** The rest of what is known about that deal; null where `commit` is. */
  readonly shuffle?: ShuffleState | null;
  /** How long bots take, as a factor of the usual time: 0.5 is twice as fast; 0 for as fast as they can. Absent: 1.0. */
  readonly pace?: number;
  /** Who played the game that is over, until the rematch begins; else null. */
  readonly final?: FinalSeats | null;
  /** Whether games count for ratings. Absent: false. */
  readonly rated?: boolean;
  /** The id by which the server rates the game in progress or just finished; null if it does not. */
  readonly match?: string | null;
  /** Who left a rated game, which ended it with a win for the other team; else null. */
  readonly left?: Seat | null;
  /** At a rated table: the seats that want a pause, or in a pause to go on; it comes when all do. Absent: []. */
  readonly pauseAsked?: readonly number[];
  /** When a pause of a rated match ends by itself; null if there is none, or if nobody is back yet. */
  readonly resumesAt?: number | null;
}

/** What lies on the table, and whose it is. */
export interface Top {
  /** What must be beaten. */
  readonly combination: Combination;
  /** Who gets the trick if nobody beats it. */
  readonly owner: Seat;
}

/** Hold the bomb window open, seen by everybody. */
export interface Wait {
  readonly type: "TABLE.WAIT";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
}

/** A seat asked for time to think about a bomb. */
export interface Waited {
  readonly type: "waited";
  /** Who asked. */
  readonly seat: Seat;
}

/** The answer to hello: who you are, how things stand, what you missed. */
export interface Welcome {
  readonly type: "welcome";
  /** The version of the last event that this tells of. */
  readonly version: number;
  /** Keep its token to come back to the same seat. */
  readonly you: You;
  /** What everybody may know. */
  readonly table: TableState;
  /** The round as this seat sees it; null before the first game. */
  readonly view?: SeatView | null;
  /** Events after `since` of hello, without states; empty without it, or if it was too long ago. Absent: []. */
  readonly missed?: readonly EventMessage[];
  /** How the last round ended, until the next one is dealt; absent if that was too long ago. */
  readonly lastRound?: RoundOver | null;
}

/** The time in which a bomb comes first. */
export interface BombWindow {
  /** When it was opened, in milliseconds since 1970 by the server's clock. */
  readonly begins: number;
  /** When the next play is carried out, by the same clock. */
  readonly ends: number;
}

/** Name the rank wished for after the Mah Jong (ours, for a play without `wishRank`). */
export interface Wish {
  readonly type: "TICHU.WISH";
  /** Chosen by the client and unique for the player; a repeat is answered again and changes nothing. */
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. Null: not told. */
  readonly version?: number | null;
  /** `NONE` wishes for nothing, where the rules allow that. */
  readonly wishRank: RankInput | "NONE";
}

/** The player behind a socket. The token opens the seat from any device: keep it secret. */
export interface You {
  /** The public id, the same at every table: others see it too. */
  readonly player: string;
  /** As others see it; at a table where somebody has the same name, with a number. */
  readonly name: string;
  /** The secret that proves who you are: `Authorization: Bearer TOKEN` for HTTP, `token` of hello for a socket. Empty where a key for the seat was shown: keep that, for this table and this game. */
  readonly token: string;
  /** Where the player sits; null for a spectator. */
  readonly seat?: Seat | null;
}

/** Something that could not be done; nothing was changed. */
export interface ApiError {
  /** A word for programs. */
  readonly error: string;
  /** A sentence for people that names the place. */
  readonly message: string;
}

/** A bot that may be put into a seat. */
export interface BotInfo {
  /** For `seats` of a new table and for `TABLE.PUT_BOT`. */
  readonly name: string;
  /** One of the levels for people, rather than a bot by its own name. */
  readonly isLevel: boolean;
}

/** The bots by their own names, then the levels, each from weak to strong. */
export interface BotList {
  /** All that there are. */
  readonly bots: readonly BotInfo[];
  /** The bot to take if nobody chooses. */
  readonly default: string;
}

/** How often a call was made, and how often it came true. */
export interface CallRate {
  /** In how many rounds the call was made. */
  readonly called: number;
  /** In how many of them the caller was out first. */
  readonly made: number;
}

/** Which table a code belongs to. */
export interface CodeInfo {
  /** The id of the table. */
  readonly table: string;
  /** The address of the table. */
  readonly link: string;
}

/** A finished game with everything in it. */
export interface GameFile {
  /** Who played and how it ended. */
  readonly game: GameInfo;
  /** Commitments, seeds and nonces of fair deals, and other tags of TTN. */
  readonly tags: { readonly [name: string]: readonly string[] };
  /** In the order of play. */
  readonly rounds: readonly RoundFile[];
}

/** A finished game. */
export interface GameInfo {
  /** For `/api/games/{game}`. */
  readonly id: string;
  /** The id of the table where it was played. */
  readonly table: string;
  /** When it ended, in milliseconds since 1970. */
  readonly finished: number;
  /** As in `docs/rules.md`. */
  readonly rules: string;
  /** Names by seat. */
  readonly seats: readonly string[];
  /** The public ids of persons by seat, empty for bots. */
  readonly players: readonly string[];
  /** The score at the end, in points: team 0+2, team 1+3. */
  readonly score: readonly [number, number];
  /** The team that has won, 0 (seats 0+2) or 1 (seats 1+3): after two ties the score does not tell. */
  readonly winner: number;
  /** Whether hints and given deals were allowed; then it counts in no statistics. */
  readonly casual: boolean;
  /** Whether a log of BrettspielWelt can express the rules; only then there is a `.tch`. Absent: true. */
  readonly hasTch?: boolean;
}

/** Finished games of a player, the latest first. */
export interface GameList {
  /** As many as asked for, or fewer at the end. */
  readonly games: readonly GameInfo[];
  /** Give it as `before` to get older ones; null at the end. */
  readonly before: number | null;
}

/** A finished game, action by action. */
export interface GameViews {
  /** Who played and how it ended. */
  readonly game: GameInfo;
  /** Commitments, seeds and nonces of fair deals, and other tags of TTN. */
  readonly tags: { readonly [name: string]: readonly string[] };
  /** Whose views they are; null for all hands. */
  readonly seat: number | null;
  /** All of them, or the one that was asked for. */
  readonly rounds: readonly RoundViews[];
}

/** Whether the server can be played on; `failing` if its store does not work. */
export interface Health {
  /** `closing`: no new tables; `failing`: nothing can be stored or read. */
  readonly status: "ok" | "closing" | "failing";
  /** The version of this server's software. */
  readonly version: string;
  /** How many tables are open, those that wait in the store among them. */
  readonly tables: number;
  /** How many sockets and streams are open. */
  readonly sockets: number;
}

/** Who the token belongs to, and how they play. */
export interface Me {
  /** The public id. */
  readonly player: string;
  /** As others see it where no table has made it another. */
  readonly name: string;
  /** As it was when the token was given. */
  readonly kind: PlayerKind;
  /** Whether the name belongs to them; others are guests. */
  readonly account: boolean;
  /** Over all finished games that are kept. */
  readonly results: Results;
  /** Open tables where this player has a seat. */
  readonly tables: readonly TableState[];
}

/** Asks for a token, for a person or for a program that will take a seat. */
export interface NewPlayer {
  /** What others see; empty leaves it to the table, which says Guest. Absent: "". */
  readonly name?: Name;
  /** What others may expect; it changes nothing in the rules. Absent: "person". */
  readonly kind?: PlayerKind;
}

/** Asks for a table. Without a token a new player is made who is its host. */
export interface NewTable {
  /** Rules, clock, pace and what else the table is made with. Absent: {}. */
  readonly settings?: Settings;
  /** The name of a new player, or a new name; empty keeps the one that the player has. Absent: "". */
  readonly name?: Name;
  /** By seat: `you` for the host, the name of a bot, null for a free seat. Empty: the host sits in seat 0. Absent: []. */
  readonly seats?: readonly (string | null)[];
  /** Start at once; bots take the free seats. Absent: false. */
  readonly start?: boolean;
}

/** The new table, and who its host is. */
export interface NewTableAnswer {
  /** How it stands now. */
  readonly table: TableState;
  /** The address to send to a friend. */
  readonly link: string;
  /** Where the picture of the link is (SVG), from the slash after the host on. */
  readonly qr: string;
  /** Opens the player's seat on any device until the game ends; the key is after `#key=`, where no server sees it. */
  readonly seatLink: string;
  /** The host: keep the token. */
  readonly you: You;
}

/** A named rule set with the values of all its fields. */
export interface Preset {
  /** The first word of `rules`. */
  readonly name: string;
  /** The value of every field. */
  readonly fields: { readonly [name: string]: string };
}

/** Asks for the picture of a link of this server that must not stand in an address, such as a seat link. */
export interface QrRequest {
  /** From the slash after the host (and prefix) on: `/t/ID#key=...`. */
  readonly path: string;
}

/** A new player. The token is told only here: keep it secret. */
export interface Registered {
  /** The public id. */
  readonly player: string;
  /** As it is kept: without what nobody can see. */
  readonly name: string;
  /** As it was asked for. */
  readonly kind: PlayerKind;
  /** For `Authorization: Bearer TOKEN`, and for hello on a socket. */
  readonly token: string;
}

/** What a player did in kept games, casual ones left out. */
export interface Results {
  /** Finished games. */
  readonly games: number;
  /** How many of them the player's team won. */
  readonly won: number;
  /** Rounds of all these games. */
  readonly rounds: number;
  /** Points in all rounds: own team, other team. */
  readonly points: readonly [number, number];
  /** Rounds in which the player was out first. */
  readonly firstOut: number;
  /** Rounds in which the player's team was out first and second. */
  readonly doubleVictories: number;
  /** Small calls. */
  readonly tichu: CallRate;
  /** Grand calls, on eight cards. */
  readonly grand: CallRate;
}

/** A round: the deal by seat, the actions and the score as in TTN. */
export interface RoundFile {
  /** By seat, as `eight+six`: the cards before and after the Grand calls. */
  readonly deal: readonly string[];
  /** From the first decision to the last trick. */
  readonly actions: readonly string[];
  /** What the round added to the match: team 0+2, team 1+3; null for a round that was not finished. */
  readonly score: readonly [number, number] | null;
}

/** A round, action by action. */
export interface RoundViews {
  /** The number of the round, counted from 0. */
  readonly round: number;
  /** All hands as they were dealt, as in TTN. */
  readonly deal: string;
  /** How the round ended; null if it was not finished. */
  readonly result: RoundResult | null;
  /** The deal, then one for each action. */
  readonly steps: readonly ViewStep[];
}

/** A field of a rule set; `N` in a value stands for a number. */
export interface RuleField {
  /** Before the equals sign. */
  readonly name: string;
  /** What may stand after it. */
  readonly values: readonly string[];
}

/** What `rules` in the settings of a table may say: a preset, then `field=value` for what differs. */
export interface RulesInfo {
  /** The first is the usual one. */
  readonly presets: readonly Preset[];
  /** What may be said after a preset. */
  readonly fields: readonly RuleField[];
}

/** A table as everybody may know it, and how to get there. */
export interface TableInfo {
  /** How it stands now. */
  readonly table: TableState;
  /** The address to send to a friend. */
  readonly link: string;
  /** Where the picture of the link is (SVG), from the slash after the host on. */
  readonly qr: string;
}

/** Public tables, those with free seats first. */
export interface TableList {
  /** As everybody may know them. */
  readonly tables: readonly TableState[];
}

/** The token of this player is nobody's any more; all sockets that were opened with it are closed. */
export interface TokenEnded {
  /** The public id. */
  readonly player: string;
}

/** The state after an action; the first of a round is the deal and has none. */
export interface ViewStep {
  /** The action in TTN, empty for the deal. */
  readonly text: string;
  /** The same spelled out; null for the deal, and for a question to bomb. */
  readonly event: Acted | null;
  /** As the seat asked for saw it then, or as a spectator would. */
  readonly view: SeatView;
  /** All hands by seat; empty if a seat was asked for. */
  readonly hands: readonly (readonly Card[])[];
}

/** Something that could have been done, and what it is worth to the team of the seat. */
export interface ReviewCandidate {
  /** In TTN, with the seat. */
  readonly action: string;
  /** The expected difference of the scores of the round, from the seat's side. */
  readonly points: number;
  /** Its standard error. */
  readonly pointsError: number;
  /** The chance of the seat's team to win the match; absent where a single round was played. */
  readonly win?: number | null;
  /** Its standard error; absent in reviews that were made before it was known. */
  readonly winError?: number | null;
}

/** The chance to win the match at a moment of the game. */
export interface ReviewChance {
  /** The number of the round; after the last one, how many rounds there were. */
  readonly round: number;
  /** After this action of the round; null for the moment before the round. */
  readonly action: number | null;
  /** The chance of seats 0 and 2. */
  readonly win: number;
}

/** Something that happens in another share of the worlds, from the side of the seat. */
export interface ReviewReason {
  /** Who goes out first, a double victory, the Dragon or a bomb; what becomes of a bomb of one's own is certain, and of card points the shares are those that the team takes of the hundred. */
  readonly what: ReviewReasonKind;
  /** The share after what was played. */
  readonly played: number;
  /** The share after what is better. */
  readonly better: number;
  /** Which bomb of the player stays or is broken up, in TTN; otherwise absent. */
  readonly cards?: string | null;
}

/** How far the review of a finished game is, and all that is known. */
export interface ReviewState {
  readonly type: "review";
  /** The id of the game. */
  readonly game: string;
  /** `none`: nobody has asked for it, or it was interrupted and goes on when somebody asks again; `waiting`: other games of whoever asked come first; `running`: a part of it is reviewed whenever it is its turn; `done`. */
  readonly state: "none" | "waiting" | "running" | "done";
  /** How many games come first that the same person has asked for; 0 unless the state is `waiting`. */
  readonly place: number;
  /** How many games are being reviewed in turns. */
  readonly underWay: number;
  /** How many rounds the game has. */
  readonly rounds: number;
  /** How many of them are reviewed. */
  readonly roundsDone: number;
  /** How many parts there are; it grows until every round has been looked at. */
  readonly parts: number;
  /** How many of them are done. */
  readonly partsDone: number;
  /** Rounds that cannot be reviewed, by number. */
  readonly failedRounds: readonly number[];
  /** Whether `decisions` are all that are reviewed so far. On the socket only the first message has all; later ones have those that are new or whose verdict has changed. */
  readonly isWhole: boolean;
  /** In the order of play. */
  readonly decisions: readonly ReviewedDecision[];
  /** Along the game, as far as known: before each round, after each decision that was compared, and at the end. Empty for games without a target. */
  readonly chances: readonly ReviewChance[];
}

/** A decision with what was better, if anything was. `round` and `action` together name it: `steps[action]` of that round's views is what the seat saw when it decided, `steps[action + 1]` what came of it. */
export interface ReviewedDecision {
  /** The number of the round, counted from 0. */
  readonly round: number;
  /** The number of the action in the round, counted from 0. */
  readonly action: number;
  /** Who decided. */
  readonly seat: Seat;
  /** What was decided. */
  readonly kind: ReviewKind;
  /** In TTN, with the seat. */
  readonly played: string;
  /** `same`: the bot would have done the same, and nothing was compared; `unclear`: chance may have found what was lost; `failed`: it could not be compared; the others are called mistakes. It may change while other decisions are reviewed: on average one in twenty of the called mistakes of a game is none. */
  readonly verdict: ReviewVerdict;
  /** The better one of what was played and the best other candidate, in TTN; absent if that is what was played. */
  readonly best?: string | null;
  /** What the best other candidate is worth more than what was played, in points; negative if it is worth less. Absent: 0.0. */
  readonly lost?: number;
  /** The standard error of `lost`. Absent: 0.0. */
  readonly lostError?: number;
  /** In how many worlds both were played on; 0 where nothing was compared. Absent: 0. */
  readonly worlds?: number;
  /** The chance to find such a loss where there is none. Absent: 1.0. */
  readonly chance?: number;
  /** What was compared: what was played comes first. Absent: []. */
  readonly candidates?: readonly ReviewCandidate[];
  /** What happens more or less often after what is better; often empty. Absent: []. */
  readonly reasons?: readonly ReviewReason[];
}

/** Something that can be done, and what it is worth to the team of the seat. */
export interface PuzzleCandidate {
  /** In TTN, with the seat. */
  readonly action: string;
  /** The expected difference of the scores of the round, from the seat's side. */
  readonly points: number;
  /** Its standard error; 0 where it is proved. */
  readonly pointsError: number;
  /** What the best action is worth more. */
  readonly lost: number;
  /** The standard error of `lost`. */
  readonly lostError: number;
  /** The chance of the seat's team to win the match; null where it is not known. */
  readonly win: number | null;
}

/** A puzzle in the list. */
export interface PuzzleEntry {
  /** Stays the same whatever other puzzles there are. */
  readonly id: string;
  /** What it is about. */
  readonly theme: PuzzleTheme;
}

/** A puzzle with its solution. */
export interface PuzzleFile {
  /** As in the list. */
  readonly id: string;
  /** What it is about. */
  readonly theme: PuzzleTheme;
  /** Who played the round: people, or bots among themselves. */
  readonly origin: "people" | "bots";
  /** Where it is from, in words. */
  readonly source: string;
  /** The rules of the round. */
  readonly rules: string;
  /** Who is to decide. */
  readonly seat: Seat;
  /** What the seat sees; its score is that of the match. */
  readonly view: SeatView;
  /** The best first. */
  readonly candidates: readonly PuzzleCandidate[];
  /** What the heuristic bot does, in TTN. */
  readonly heuristic: string;
  /** What was done when the round was played, in TTN. */
  readonly played: string;
  /** In how many worlds the candidates were compared: in all that are possible if it is proved. */
  readonly worlds: number;
  /** Whether the best is best in every possible world. */
  readonly proved: boolean;
  /** What happens more or less often after the best than after what the heuristic bot does; empty for some that are proved. */
  readonly reasons: readonly ReviewReason[];
  /** Of those that are proved, null for others. */
  readonly proof: PuzzleProof | null;
  /** The cards of all four seats at the decision; on eight cards those eight. */
  readonly hands: readonly (readonly Card[])[];
}

/** How a round ends if everybody sees all cards and does the best for their team. */
export interface PuzzleLine {
  /** From the decision on, in TTN. */
  readonly actions: readonly string[];
  /** The difference of the scores of the round, from the side of the seat of the puzzle. */
  readonly points: number;
  /** The seat that goes out next; null if none is left to. */
  readonly nextOut: Seat | null;
}

/** All puzzles of this server. */
export interface PuzzleList {
  /** By theme. */
  readonly puzzles: readonly PuzzleEntry[];
}

/** What a proof says in numbers: the best beside what the heuristic bot does. */
export interface PuzzleProof {
  /** What it is worth more in the possible deal where that is least. */
  readonly least: number;
  /** And where that is most. */
  readonly most: number;
  /** In how many of the deals it is worth more; in the others as much. */
  readonly better: number;
  /** The best, with the cards as they lay. */
  readonly bestLine: PuzzleLine;
  /** And what the heuristic bot does. */
  readonly missedLine: PuzzleLine;
}

/** An answer and what it is worth to the team of the seat. */
export interface TrainerAnswer {
  /** `call`, `no`, or three cards for the left, the partner and the right. */
  readonly answer: string;
  /** The expected difference of the scores of the round, from the seat's side. */
  readonly points: number;
  /** Its standard error. */
  readonly pointsError: number;
  /** The chance of the seat's team to win the match. */
  readonly win: number | null;
}

/** A hand that somebody is to decide on. */
export interface TrainerHand {
  /** What is asked: Grand Tichu on eight cards, Tichu on the first lead, or three cards to give. */
  readonly trainer: TrainerName;
  /** The same number gives the same hand. */
  readonly seed: number;
  /** What the seat sees; its score is that of the match. */
  readonly view: SeatView;
}

/** An answer beside the champion's. */
export interface TrainerJudgement {
  /** As it was asked. */
  readonly trainer: TrainerName;
  /** The number of the question. */
  readonly seed: number;
  /** What was answered. */
  readonly answer: string;
  /** What the champion does. */
  readonly choice: string;
  /** How likely its network holds that, from 0 to 1: how sure it is, and not a chance to succeed. */
  readonly chance: number;
  /** Whether both are the same, but for suits. */
  readonly isAgreed: boolean;
  /** Whether chance would seldom find such a difference where there is none. */
  readonly isClear: boolean;
  /** What the champion's choice is worth more than the other call, or than the cards that were given; negative if it is worth less. */
  readonly difference: number;
  /** Its standard error. */
  readonly differenceError: number;
  /** In how many worlds both were played on; 0 where nothing was compared. */
  readonly worlds: number;
  /** The champion's choice first; empty where nothing was compared. */
  readonly answers: readonly TrainerAnswer[];
  /** The cards of all four seats; on eight cards with those that come later. */
  readonly hands: readonly (readonly Card[])[];
}

/** What belongs to the account of whoever asks. */
export interface AccountInfo {
  /** The public id. */
  readonly player: string;
  /** As others see it. */
  readonly name: string;
  /** In milliseconds since 1970. */
  readonly created: number;
  /** The one that was used last comes first. */
  readonly sessions: readonly Session[];
  /** How many recovery codes have not been used. */
  readonly codesLeft: number;
  /** Null where the server sends no mail. */
  readonly email: EmailInfo | null;
}

/** Recovery codes in place of the former ones; they are told only here. */
export interface Codes {
  /** Each is good for one time. */
  readonly codes: readonly string[];
}

/** Proves who somebody is by a password. */
export interface Credentials {
  /** Of the account; large and small letters do not matter. */
  readonly name: Name;
  /** Of the account. */
  readonly password: string;
  /** What the session is called in the list of sessions. Absent: "". */
  readonly device?: string;
}

/** Shows that the mail has come. */
export interface EmailCode {
  /** As in the mail. */
  readonly code: string;
  /** Of the mail to the former address. Absent: "en". */
  readonly language?: "en" | "de" | "ko";
}

/** The e-mail address of an account, as far as its owner needs to know it again. */
export interface EmailInfo {
  /** Its first sign and what follows `@`; empty if there is none. */
  readonly address: string;
  /** The same of one that a code was sent to, which is not entered yet. */
  readonly pending: string;
}

/** Asks for the address to be forgotten. */
export interface EmailRemoval {
  /** Of the account, once more. */
  readonly password: string;
  /** Of the mail to it. Absent: "en". */
  readonly language?: "en" | "de" | "ko";
}

/** A session of an account. Token and codes are told only here: keep them secret. */
export interface Entered {
  /** The public id; that of the guest, if it was one. */
  readonly player: string;
  /** As others see it. */
  readonly name: string;
  /** For `Authorization: Bearer TOKEN`, and for hello on a socket. */
  readonly token: string;
  /** Each is good for one time when the password is lost; only a new account is told them. */
  readonly codes: readonly string[];
}

/** Asks to be forgotten for good. */
export interface Farewell {
  /** Of the account; a guest has none. Absent: "". */
  readonly password?: string;
}

/** The token of a guest whose games and seats are to be the account's. */
export interface GuestToken {
  /** It ends with this. */
  readonly token: string;
}

/** How one can come back to an account here, besides a password and a recovery code. */
export interface LoginWays {
  /** Whether a code can be sent to an address that the account has. */
  readonly mail: boolean;
}

/** If there is such an account, and it has an address, it gets a mail; nobody is told whether there is. */
export interface MailAsked {
  /** How long the code is good. */
  readonly minutes: number;
}

/** Asks for a code by mail, in place of a recovery code. */
export interface MailRequest {
  /** Of the account. */
  readonly name: Name;
  /** Of the mail. Absent: "en". */
  readonly language?: "en" | "de" | "ko";
}

/** Asks for an account, for the guest whose token is shown or for somebody new. */
export interface NewAccount {
  /** Nobody else may have it, or one that looks like it; empty keeps the guest's. Absent: "". */
  readonly name?: Name;
  /** Eight signs at least. */
  readonly password: string;
  /** What the session is called in the list of sessions. Absent: "". */
  readonly device?: string;
}

/** Asks for a code to be sent to an address, which is the account's as soon as the code is entered. */
export interface NewEmail {
  /** Plain: `ada@example.org`. */
  readonly email: string;
  /** Of the account, once more. */
  readonly password: string;
  /** Of the mail. Absent: "en". */
  readonly language?: "en" | "de" | "ko";
}

/** Asks for another name. */
export interface NewName {
  /** Nobody else may have it, or one that looks like it. */
  readonly name: Name;
}

/** A passkey that the browser has made. */
export interface NewPasskey {
  /** The credential as JSON. */
  readonly credential: string;
  /** What it is called in the list. Absent: "". */
  readonly name?: string;
  /** Of the account, once more: a passkey opens it for good. Absent: "". */
  readonly password?: string;
}

/** Asks for another password; all other sessions end. */
export interface NewPassword {
  /** As it is. */
  readonly password: string;
  /** As it will be. */
  readonly newPassword: string;
}

/** A passkey of the account. */
export interface Passkey {
  /** Forgets it at `/api/me/passkeys/{passkey}`. */
  readonly id: string;
  /** As it was called when it was made. */
  readonly name: string;
  /** In milliseconds since 1970. */
  readonly created: number;
  /** When it was last shown; null if never. */
  readonly used: number | null;
}

/** All passkeys of the account, the newest first. */
export interface PasskeyList {
  /** Any of them will do to log in. */
  readonly passkeys: readonly Passkey[];
}

/** What the browser is asked for; good for five minutes and one answer. */
export interface PasskeyOptions {
  /** JSON for `navigator.credentials`, as WebAuthn writes it. */
  readonly options: string;
}

/** The password once more, for what somebody who found an open browser must not do. */
export interface Proof {
  /** Of the account. */
  readonly password: string;
}

/** Proves who somebody is by a recovery code or one from a mail, which is used up; all sessions end. */
export interface Recovery {
  /** Of the account. */
  readonly name: Name;
  /** As it was written down; hyphens and spaces do not matter. */
  readonly code: string;
  /** From now on. */
  readonly password: string;
  /** What the session is called in the list of sessions. Absent: "". */
  readonly device?: string;
  /** Of the mail about it, if there is one. Absent: "en". */
  readonly language?: "en" | "de" | "ko";
}

/** A key for one's seat at one table, to play on from another device until the game ends. */
export interface SeatKey {
  /** For `key` of hello at this table, and as a bearer token for its commands and its stream; keep it secret. */
  readonly key: string;
  /** The address with the key after `#key=`, where no server sees it. */
  readonly link: string;
}

/** Where an account is logged in. */
export interface Session {
  /** Ends it at `/api/me/sessions/{session}`. */
  readonly id: string;
  /** As it was called when it began. */
  readonly device: string;
  /** In milliseconds since 1970. */
  readonly created: number;
  /** When its token was last used. */
  readonly seen: number;
  /** When its token will no longer be good; every use moves it. */
  readonly expires: number;
  /** Whether it is the one that asks. */
  readonly current: boolean;
}

/** The tokens of these sessions are nobody's any more; all sockets that were opened with them are closed. */
export interface SessionsEnded {
  /** How many there were. */
  readonly ended: number;
}

/** A passkey that the browser shows. */
export interface ShownPasskey {
  /** The credential as JSON. */
  readonly credential: string;
  /** What the session is called in the list of sessions. Absent: "". */
  readonly device?: string;
}

/** What is lost a round by one kind of decision. */
export interface KindLoss {
  /** What was decided. */
  readonly kind: ReviewKind;
  /** Points a round; below zero they are gained. */
  readonly lost: number;
  /** Its standard error; null while too little is known. */
  readonly error: number | null;
}

/** What others are to whoever asks. */
export interface People {
  /** Whom you follow, the latest first. */
  readonly follows: readonly Person[];
  /** Whom you have blocked, the latest first. */
  readonly blocks: readonly Person[];
  /** With whom you have played, the latest first. */
  readonly recent: readonly RecentPlayer[];
}

/** Somebody as everybody may know them. */
export interface Person {
  /** The public id. */
  readonly player: string;
  /** As others see it; empty for a guest who has told none. */
  readonly name: string;
  /** A person, or a program of an author. */
  readonly kind: PlayerKind;
  /** Whether the name belongs to them; others are guests. */
  readonly account: boolean;
}

/** What a player loses a round to whoever decides as the bot does, by the reviews of finished games. */
export interface PlayerSheet {
  /** On how many reviewed games it rests; casual ones count in none. */
  readonly games: number;
  /** How many rounds these have. */
  readonly rounds: number;
  /** Points a round, of all kinds of decisions together. */
  readonly lost: number;
  /** Its standard error; null while too little is known. */
  readonly error: number | null;
  /** The same by kind, all of them. */
  readonly kinds: readonly KindLoss[];
}

/** Who somebody is, and how they play; their ratings are at `/api/players/{player}/ratings`. */
export interface Profile {
  /** Who it is. */
  readonly person: Person;
  /** When they first came, in milliseconds since 1970. */
  readonly created: number;
  /** Over all finished games that are kept. */
  readonly results: Results;
  /** The same of everybody together, to compare with; it may be some minutes old. */
  readonly everybody: Results;
  /** How many follow them. */
  readonly followers: number;
  /** What you are to them; null without a token, and for yourself. */
  readonly relation: RelationTo | null;
  /** With whom they were in a team in the last games that you may see, those of most games first. Absent: []. */
  readonly partners?: readonly ProfilePartner[];
  /** What they lose a round; null where no game that you may see, and that counts, was reviewed. */
  readonly sheet?: PlayerSheet | null;
}

/** A finished game of somebody. */
export interface ProfileGame {
  /** Who played and how it ended. */
  readonly game: GameInfo;
  /** Whether it counted for ratings. */
  readonly rated: boolean;
}

/** Finished games of a player that whoever asks may see, the latest first. */
export interface ProfileGames {
  /** As many as asked for, or fewer. */
  readonly games: readonly ProfileGame[];
  /** Give it as `before` to get older ones; null at the end. */
  readonly before: number | null;
}

/** Somebody with whom a player has played in a team. */
export interface ProfilePartner {
  /** Who it is. */
  readonly person: Person;
  /** How many of the last games they were partners in. */
  readonly games: number;
  /** How many of these they have won. */
  readonly won: number;
  /** When the last of these ended. */
  readonly last: number;
}

/** Somebody with whom you have played lately. */
export interface RecentPlayer {
  /** Who it is. */
  readonly person: Person;
  /** When a game with them last ended. */
  readonly last: number;
  /** In how many of your last games they were your partner. */
  readonly partner: number;
  /** In how many of your last games they were your opponent. */
  readonly opponent: number;
}

/** What whoever asks is to somebody. */
export interface RelationTo {
  /** The public id of the other. */
  readonly player: string;
  /** Whether you follow them. */
  readonly follows: boolean;
  /** Whether you have blocked them: nobody brings the two of you together. */
  readonly blocks: boolean;
  /** Whether they follow you. */
  readonly followsYou: boolean;
}

/** A program on a leaderboard: one of the server's levels, which hold the scale, or one of an author. */
export interface BoardBot {
  /** From 1 on. */
  readonly rank: number;
  /** The public id of an author's program; null for a level. */
  readonly player: string | null;
  /** Of a level, as in `/api/bots`. */
  readonly name: string;
  /** Compares with the ratings of people; that of a level was measured, and no match moves it. */
  readonly rating: number;
  /** The truth is within so much of it in 19 cases of 20. */
  readonly deviation: number;
  /** Matches that counted; 0 for a level. */
  readonly matches: number;
}

/** A player or a pair on a leaderboard. */
export interface BoardEntry {
  /** From 1 on. */
  readonly rank: number;
  /** One public id, or the two of a pair. */
  readonly players: readonly string[];
  /** Their names. */
  readonly names: readonly string[];
  /** As for players; a pair's is per player. */
  readonly rating: number;
  /** The truth is within so much of it in 19 cases of 20. */
  readonly deviation: number;
  /** Matches that counted. */
  readonly matches: number;
}

/** Who is strongest in a pool, of those who have met enough others in matches that the server made. */
export interface Leaderboard {
  /** Which pool it is. */
  readonly pool: RatingPool;
  /** Players, from strong to weak. */
  readonly players: readonly BoardEntry[];
  /** Pairs, from strong to weak. */
  readonly pairs: readonly BoardEntry[];
  /** Programs under the same rules and clock, from strong to weak; levels only where they were measured. */
  readonly bots: readonly BoardBot[];
  /** All pools in which somebody was rated. */
  readonly pools: readonly RatingPool[];
}

/** What a rated match did, by seat; null for a bot, for whoever it could not change, and for whoever has gone. */
export interface MatchRatings {
  /** The id of the game. */
  readonly match: string;
  /** By seat. */
  readonly players: readonly (RatingChange | null)[];
}

/** The rating of two who come together, per player. */
export interface PairRating {
  /** Where it counts. */
  readonly pool: RatingPool;
  /** The public id of the partner. */
  readonly partner: string;
  /** The partner's name. */
  readonly name: string;
  /** Compares with the ratings of players. */
  readonly rating: number;
  /** The truth is within so much of it in 19 cases of 20. */
  readonly deviation: number;
  /** Whether too little is known to compare it with others. */
  readonly provisional: boolean;
  /** Matches to which the two came together. */
  readonly matches: number;
  /** How many of them were won. */
  readonly wins: number;
}

/** Everything about the ratings of a player. */
export interface PlayerRatings {
  /** The public id. */
  readonly player: string;
  /** One for each pool that the player was rated in. */
  readonly ratings: readonly RatingStanding[];
  /** One for each partner the player comes with, and pool. */
  readonly pairs: readonly PairRating[];
  /** The last matches, the oldest first. */
  readonly history: readonly RatingPast[];
}

/** Somebody who wants to look for a match together with you. */
export interface QuickInvite {
  /** The public id. */
  readonly player: string;
  /** Their name. */
  readonly name: string;
  /** Whether for ratings. */
  readonly rated: boolean;
  /** How much time there is for decisions. */
  readonly speed: "fast" | "normal" | "slow";
}

/** Asks for a match with whoever looks for one too. */
export interface QuickRequest {
  /** For ratings, which needs an account; else the game counts nowhere. Absent: false. */
  readonly rated?: boolean;
  /** How much time there is for decisions. Absent: "normal". */
  readonly speed?: "fast" | "normal" | "slow";
  /** The public id of a partner to come with, who must ask for the same; empty for whoever fits. Absent: "". */
  readonly partner?: string;
  /** As in `hello`: two of one browser are not brought together in a rated match. Absent: "". */
  readonly device?: string;
}

/** How a search stands. Whoever does not ask for it for twenty seconds is no longer looking. */
export interface QuickState {
  /** `partner`: the partner has not asked for it yet; `found`: go to `table`. */
  readonly state: "none" | "partner" | "waiting" | "found";
  /** As it was asked for. */
  readonly rated: boolean;
  /** As it was asked for. */
  readonly speed: "fast" | "normal" | "slow";
  /** Since when; null if nobody looks. */
  readonly since: number | null;
  /** The server's clock. */
  readonly now: number;
  /** How many people look for such a match now, with this one. */
  readonly seekers: number;
  /** How long others waited lately, half of them less, in seconds; null if nobody did. */
  readonly expected: number | null;
  /** How far the ratings of a match may now lie apart. */
  readonly spread: number;
  /** From when on bots can take the places that are still free; null if nobody looks. */
  readonly botsAt: number | null;
  /** Whether this player has said that bots are welcome. */
  readonly bots: boolean;
  /** The table of the match; null before one is found. */
  readonly table: string | null;
  /** Who wants to look together with this player. */
  readonly invites: readonly QuickInvite[];
}

/** What a match did to one player. */
export interface RatingChange {
  /** The public id. */
  readonly player: string;
  /** The rating before it. */
  readonly before: number;
  /** The rating after it. */
  readonly after: number;
}

/** What one match did to a rating. */
export interface RatingPast {
  /** When it ended. */
  readonly at: number;
  /** Where it counted. */
  readonly pool: RatingPool;
  /** The rating before it. */
  readonly before: number;
  /** The rating after it. */
  readonly after: number;
}

/** Who is compared with whom. */
export interface RatingPool {
  /** People, or programs of authors. */
  readonly league: "people" | "bots";
  /** Exactly as in the table's settings. */
  readonly rules: string;
  /** How much time there is. */
  readonly clock: "fast" | "normal" | "slow";
  /** At tables that people have made themselves, which have no leaderboard; else in matches that the server made. Absent: false. */
  readonly hosted?: boolean;
}

/** A player's rating in a pool, and where it comes from. */
export interface RatingStanding {
  /** Where it counts. */
  readonly pool: RatingPool;
  /** 1500 for newcomers; about 400 more win ten matches to one. */
  readonly rating: number;
  /** The truth is within so much of it in 19 cases of 20. */
  readonly deviation: number;
  /** Whether too little is known to compare it with others. */
  readonly provisional: boolean;
  /** Matches that counted. */
  readonly matches: number;
  /** How many of them were won. */
  readonly wins: number;
  /** How many of them were lost. */
  readonly losses: number;
  /** How many the player left. */
  readonly left: number;
  /** How often a partner's leaving was forgiven. */
  readonly spared: number;
  /** The place on the leaderboard, from 1 on; null for none. */
  readonly rank: number | null;
}

/** Tells the operator about somebody; with a table or a game, what was said and played there goes along. */
export interface NewReport {
  /** What it is about. */
  readonly reason: ReportReason;
  /** More about it. Absent: "". */
  readonly words?: string;
  /** The table at which it happened; empty for none. Absent: "". */
  readonly table?: string;
  /** The finished game in which it happened; empty for none. Absent: "". */
  readonly game?: string;
}

/** The report is kept for the operator. */
export interface Reported {
  /** Of the report. */
  readonly report: string;
}

/** What goes on, a few seconds old at most; nothing of private tables, and nobody of a block. */
export interface Home {
  /** Public tables that wait for players. */
  readonly tables: readonly TableState[];
  /** Public tables at which a game is on. */
  readonly watchable: readonly TableState[];
  /** How many people play at public tables now. */
  readonly people: number;
  /** At how many tables. */
  readonly playing: number;
  /** Who looks for a quick match. */
  readonly seekers: HomeSeekers;
  /** Whom you follow and who is at a public table; nobody without a token. */
  readonly followed: readonly PersonHere[];
  /** The latest finished games of people at public tables. */
  readonly games: readonly GameInfo[];
  /** Null before anybody has a place. */
  readonly board: HomeBoard | null;
}

/** The top of a leaderboard. */
export interface HomeBoard {
  /** The pool in which most is played. */
  readonly pool: RatingPool;
  /** From strong to weak. */
  readonly players: readonly BoardEntry[];
}

/** How many look for a quick match, however fast. */
export interface HomeSeekers {
  /** For a rated one. */
  readonly rated: number;
  /** For one that is not. */
  readonly casual: number;
}

/** Somebody whom you follow, who sits at a public table now. */
export interface PersonHere {
  /** Who it is. */
  readonly person: Person;
  /** The id of the table. */
  readonly table: string;
  /** What the host calls it; may be empty. */
  readonly name: string;
  /** Whether a game is on. */
  readonly playing: boolean;
}

/** What a table is made with. */
export interface Settings {
  /** As in `docs/rules.md`: `standard`, `standard goal=target:500`. Absent: "standard". */
  readonly rules?: string;
  /** What the host calls the table; may be empty. Absent: "". */
  readonly name?: string;
  /** How long decisions may take; null for as long as they need. */
  readonly clock?: Clock | null;
  /** Not on the start page; whoever has the link or the code can come. Absent: true. */
  readonly private?: boolean;
  /** Hints, given deals and positions; such games count in no statistics. Absent: true. */
  readonly casual?: boolean;
  /** For ratings: accounts and a clock, not casual; seats are locked during a match, and the host has no powers. Absent: false. */
  readonly rated?: boolean;
  /** How long bots take, as a factor of the usual time: 0.5 is twice as fast; 0 for programs among themselves. Absent: 1.0. */
  readonly pace?: number;
  /** A given deal of the first round (TTN); only at casual tables. Null: the cards are dealt fairly. */
  readonly deal?: string | null;
  /** What has been played of that deal, in TTN. Absent: []. */
  readonly actions?: readonly string[];
  /** A position to begin with instead of a deal (TTN); only at casual tables. */
  readonly position?: string | null;
  /** How the match stands before that deal or position: team 0+2, team 1+3. Absent: [0,0]. */
  readonly score?: readonly [number, number];
}
