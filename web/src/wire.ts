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

export type Command = Action | TableCommand;

/** The command is stored and done. */
export interface Ack {
  readonly type: "ack";
  readonly id: string;
  readonly version: number;
}

/** A seat did something, in TTN as this seat may see it, and spelled out. */
export interface Acted {
  readonly type: "acted";
  readonly seat: Seat;
  /** `2:7s7b`; `2>` for an exchange and `2` for a Grand decision that are not shown yet. */
  readonly text: string;
  readonly what: "grand" | "no_grand" | "grand_hidden" | "tichu" | "exchange" | "play" | "pass" | "wish" | "take";
  readonly combination?: Combination | null;
  /** The rank of a wish, `NONE` for none. */
  readonly rank?: string | null;
  /** To whom the Dragon's trick went. */
  readonly recipient?: Seat | null;
  /** Set when somebody else decided for the seat. */
  readonly by?: "clock" | "bot" | null;
}

/** Let a bot take the next decision of an absent person. */
export interface Assist {
  readonly type: "TABLE.ASSIST";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly seat: Seat;
}

/** Pass without being asked, this turn or this trick, as far as a wish allows. */
export interface AutoPass {
  readonly type: "TABLE.AUTO_PASS";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly until: "off" | "turn" | "trick";
}

/** The host changes what is played next, before a game or after it; a given deal or position stays as it is. */
export interface ChangeSettings {
  readonly type: "TABLE.CHANGE_SETTINGS";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly settings: Settings;
}

/** Asks what these cards can be played as now. */
export interface Check {
  readonly type: "check";
  readonly id: CommandId;
  readonly cards: CardList;
}

/** What the cards can be played as, or why not. */
export interface Checked {
  readonly type: "checked";
  readonly id: string;
  /** Absent: []. */
  readonly readings?: readonly Combination[];
  readonly reason?: string | null;
  readonly message?: string | null;
}

/** Seconds per decision, and a reserve per game. */
export interface Clock {
  readonly decision: number;
  /** Absent: 0. */
  readonly reserve?: number;
}

/** A combination as it can be shown and played. */
export interface Combination {
  readonly cards: readonly Card[];
  readonly type: ComboType;
  /** `2` to `A`, `1` for the Mah Jong, `Ph` led alone, `Dr`, `Do`. */
  readonly rank: string;
  /** The lower rank of a full house. */
  readonly withRank?: string | null;
  readonly length: number;
  readonly phoenixAs?: string | null;
  /** Absent: false. */
  readonly isBomb?: boolean;
  /** As in TTN, with the Phoenix's reading. */
  readonly text: string;
}

/** The hash of the player's share in the shuffle, given after the table has committed itself. */
export interface CommitNonce {
  readonly type: "TABLE.COMMIT_NONCE";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  /** `tichu.core.fairness` says how it is made. */
  readonly commitment: string;
}

/** The shuffle of the next deal has come further; the table state says how far. */
export interface Committed {
  readonly type: "committed";
  readonly round: number;
  /** The hash of the seed. */
  readonly commit: string;
  /** The table has chosen the seed; a seat has committed to its nonce; the set of those commitments is fixed. Absent: "seed". */
  readonly what?: "seed" | "nonce" | "set";
  readonly seat?: Seat | null;
}

/** Give the three cards of the draft, or these. */
export interface ConfirmExchange {
  readonly type: "TICHU.CONFIRM_EXCHANGE";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly left?: Card | null;
  readonly partner?: Card | null;
  readonly right?: Card | null;
}

/** A round begins. */
export interface Dealt {
  readonly type: "dealt";
  readonly round: number;
}

/** What a deal came from (`tichu.core.fairness`); by seat, empty for none. */
export interface DealProof {
  readonly derivation: number;
  readonly seed: string;
  /** To the nonces; `~` before one that the table made for a nonce given without. Derivation 1 has none. */
  readonly commitments: readonly string[];
  readonly nonces: readonly string[];
}

/** Call Grand Tichu on eight cards. */
export interface DeclareGrandTichu {
  readonly type: "TICHU.DECLARE_GRAND_TICHU";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** Call Tichu. */
export interface DeclareTichu {
  readonly type: "TICHU.DECLARE_TICHU";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** How the cards are meant; only what the Phoenix leaves open must be said. */
export interface DeclaredCombo {
  readonly type?: ComboType | null;
  readonly highRank?: string | null;
  readonly length?: number | null;
  /** `s`, `b`, `g`, `r`, or `♠`, `♦`, `♣`, `♥`. */
  readonly suit?: string | null;
  /** The rank that the Phoenix stands for. */
  readonly phoenixAs?: RankInput | null;
  /** The wish that comes with the Mah Jong; `NONE` wishes for nothing, absent leaves it to `TICHU.WISH`. */
  readonly wishRank?: RankInput | "NONE" | null;
}

/** Asked (`bombs=ordered`), and do not bomb (ours). */
export interface DeclineBomb {
  readonly type: "TICHU.DECLINE_BOMB";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** Do not call Grand Tichu (ours: the other game lets the window run out). */
export interface DeclineGrandTichu {
  readonly type: "TICHU.DECLINE_GRAND_TICHU";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** Give the Dragon's trick to an opponent, named by seat. */
export interface DragonDonate {
  readonly type: "TICHU.DRAGON_DONATE";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly toOpponentPlayerId: Seat;
}

/** One of the fixed emotes. */
export interface Emote {
  readonly type: "TABLE.EMOTE";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly emote: EmoteName;
}

/** Somebody showed an emote. */
export interface Emoted {
  readonly type: "emoted";
  readonly name: string;
  readonly player: string;
  readonly emote: EmoteName;
  readonly seat?: Seat | null;
}

/** A message that could not be read, or a socket that is closed; nothing was changed. */
export interface ErrorMessage {
  readonly type: "error";
  readonly code: "malformed" | "too_large" | "too_fast" | "no_such_table" | "not_seated" | "busy" | "closing";
  readonly message: string;
  readonly id?: string | null;
}

/** One event. Every seat gets the same versions; the view is the state after it. */
export interface EventMessage {
  readonly type: "event";
  readonly version: number;
  readonly event: TableEvent;
  /** The phases entered by it, the last of them the current one. Absent: []. */
  readonly phases?: readonly Phase[];
  /** Absent where nothing in it changed. */
  readonly table?: TableState;
  readonly view?: SeatView | null;
}

/** Who played the game that is over, by seat; for the rematch they may sit elsewhere. */
export interface FinalSeats {
  readonly names: readonly string[];
  /** Public ids, empty for bots. */
  readonly players: readonly string[];
}

/** A card from or for another seat in the exchange. */
export interface Gift {
  readonly seat: Seat;
  readonly card: Card;
}

/** The first message of a socket: which table, who, and the last version seen. */
export interface Hello {
  readonly type: "hello";
  readonly table: string;
  /** What an earlier welcome gave; without it the server makes a new player. */
  readonly token?: string | null;
  /** Absent: "". */
  readonly name?: Name;
  readonly since?: number | null;
}

/** Asks what a bot would do. Only at casual tables. */
export interface Hint {
  readonly type: "hint";
  readonly id: CommandId;
}

/** Something that is true of a play, for words of the game. */
export interface HintFact {
  readonly code: "last" | "beats" | "stops" | "over_partner" | "to_partner" | "partner_holds" | "helps" | "partner_called" | "points" | "keeps" | "keeps_bomb" | "splits_bomb" | "left" | "holds" | "gives_partner" | "more_cards";
  /** A seat, cards, a combination or a number, as the code needs it. */
  readonly seat?: Seat | null;
  /** Absent: []. */
  readonly cards?: readonly Card[];
  readonly combination?: Combination | null;
  readonly count?: number | null;
}

/** What a bot would do, and why. */
export interface Hinted {
  readonly type: "hinted";
  readonly id: string;
  /** TTN. */
  readonly text: string;
  readonly what: string;
  /** Absent: []. */
  readonly cards?: readonly Card[];
  readonly combination?: Combination | null;
  readonly rank?: string | null;
  readonly recipient?: number | null;
  /** A reason code with its arguments, for translation, and the English sentence. */
  readonly code: string;
  /** Absent: {}. */
  readonly arguments?: { readonly [name: string]: string | number };
  readonly words: string;
  /** What the play does, from what the seat sees; the most important first. Absent: []. */
  readonly facts?: readonly HintFact[];
}

/** The player's share in the shuffle, hexadecimal: opens a commitment once the set of them is fixed. A program that knows no commitments gives it before; then the deal is not proved for its seat. */
export interface Nonce {
  readonly type: "TABLE.NONCE";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly nonce: string;
}

/** The table was made. */
export interface Opened {
  readonly type: "opened";
}

/** Play nothing this turn. */
export interface Pass {
  readonly type: "TICHU.PASS";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** The host stops clocks and bots. */
export interface Pause {
  readonly type: "TABLE.PAUSE";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** Clocks and bots stand still. */
export interface Paused {
  readonly type: "paused";
  readonly why: "host" | "nobody";
}

/** Asks whether the server is there. */
export interface Ping {
  readonly type: "ping";
}

/** One turn of a trick; a pass has no combination. */
export interface Play {
  readonly seat: Seat;
  readonly combination?: Combination | null;
}

/** Play a bomb, in or out of turn. */
export interface PlayBomb {
  readonly type: "TICHU.PLAY_BOMB";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly cards: CardList;
  readonly declaredCombo?: DeclaredCombo | null;
}

/** Play a combination in turn. */
export interface PlayCards {
  readonly type: "TICHU.PLAY_CARDS";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly cards: CardList;
  readonly declaredCombo?: DeclaredCombo | null;
}

/** Here. */
export interface Pong {
  readonly type: "pong";
  readonly now: number;
}

/** The host puts a bot into a seat that no person holds. */
export interface PutBot {
  readonly type: "TABLE.PUT_BOT";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly seat: Seat;
  readonly bot: string;
}

/** Go on to the next round, or after a game to a rematch. A round starts when all persons are ready or after a while, a rematch when all who are still there are ready. */
export interface Ready {
  readonly type: "TABLE.READY";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** The command changed nothing. */
export interface Refused {
  readonly type: "refused";
  readonly id: string;
  /** The name of a `Reason` of the core, or one of the table's own. */
  readonly reason: string;
  readonly message: string;
  readonly version: number;
  /** The fresh view, where the command was made for an old one. */
  readonly view?: SeatView | null;
}

/** The host empties a seat. */
export interface Remove {
  readonly type: "TABLE.REMOVE";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly seat: Seat;
}

/** Go on after a pause. */
export interface Resume {
  readonly type: "TABLE.RESUME";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** The game goes on. */
export interface Resumed {
  readonly type: "resumed";
}

/** The round is scored and everything is open. */
export interface RoundOver {
  readonly type: "round_over";
  readonly result: RoundResult;
  /** As in TTN. */
  readonly deal?: string | null;
  /** What the deal came from; absent for a given one. */
  readonly proof?: DealProof | null;
  /** What is left in the hands. Absent: []. */
  readonly hands?: readonly (readonly Card[])[];
}

/** How a round ended; pairs are team 0+2, team 1+3. */
export interface RoundResult {
  readonly round: number;
  readonly points: readonly [number, number];
  readonly bonus: readonly [number, number];
  readonly score: readonly [number, number];
  readonly out: readonly number[];
  /** `-`, `T` or `G` by seat. */
  readonly calls: readonly string[];
  /** Absent: false. */
  readonly doubleVictory?: boolean;
}

/** Somebody said something. */
export interface Said {
  readonly type: "said";
  readonly name: string;
  readonly player: string;
  readonly text: string;
  readonly seat?: Seat | null;
}

/** Say something to everybody at the table. */
export interface Say {
  readonly type: "TABLE.SAY";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly text: string;
}

/** Who sits where. */
export interface SeatState {
  /** Empty for a free seat. */
  readonly name: string;
  /** The public id of a person. */
  readonly player: string | null;
  /** The bot that plays here. */
  readonly bot: string | null;
  readonly connected: boolean;
  /** Ready for the next round, or for a rematch. */
  readonly ready: boolean;
  /** The picture; null for a person who has chosen none. */
  readonly avatar?: Avatar | null;
  /** A bot decides for the person until they are back. Absent: false. */
  readonly standIn?: boolean;
}

/** A running clock: when the decision's time ends, and the reserve after it. */
export interface SeatTime {
  readonly seat: Seat;
  readonly ends: number;
  readonly reserveEnds: number;
}

/** The round as one seat sees it, with what it may do; for a spectator without hand and a trick behind. */
export interface SeatView {
  readonly seat: Seat | null;
  readonly phase: Phase;
  /** What this seat is to decide now. */
  readonly decision: Decision | null;
  /** The seats that must decide, as far as this seat knows. */
  readonly pending: readonly number[];
  readonly hand: readonly Card[];
  readonly counts: readonly number[];
  readonly top: Top | null;
  readonly trick: readonly Play[];
  readonly lastTrick: readonly Play[];
  /** Who got the last trick, if there was one. */
  readonly lastTaker: number | null;
  readonly points: readonly number[];
  readonly pointsOnTable: number;
  readonly wish: string | null;
  /** `-`, `T`, `G`, or `?` for a decision that is made and not yet shown. */
  readonly calls: readonly string[];
  readonly out: readonly number[];
  /** The seat's cards in the exchange: the draft, then what was given. */
  readonly draft: readonly Gift[];
  readonly given: readonly Gift[];
  readonly received: readonly Gift[];
  readonly mayCall: boolean;
  /** Whether the call needs a second thought: the partner has called, or somebody is out. */
  readonly callDoubtful: boolean;
  readonly mayPass: boolean;
  /** To whom the Dragon's trick may go. */
  readonly recipients: readonly number[];
  /** Ranks that may be wished for, and whether `NONE` is allowed. */
  readonly wishes: readonly string[];
  /** Plays for the seat's turn, one of each kind and rank. */
  readonly suggestions: readonly Combination[];
  /** Bombs held; `can_bomb` says whether one may be thrown now. */
  readonly bombs: readonly Combination[];
  readonly canBomb: boolean;
  readonly window: BombWindow | null;
  readonly waitsLeft: number;
  readonly clocks: readonly SeatTime[];
  readonly autoPass: "off" | "turn" | "trick";
  /** The match score: own team, other team. */
  readonly score: readonly [number, number];
  /** The same as TTN, for programs. */
  readonly position: string;
  /** The server's clock when this was made. */
  readonly now: number;
  /** Who made the wish that stands, if that is known. */
  readonly wishedBy?: Seat | null;
  /** Whether the seat holds the wished rank, can play it now and so must. Absent: false. */
  readonly wishOwed?: boolean;
}

/** How far the shuffle has come, until the round is over; by seat, empty for none. */
export interface ShuffleState {
  /** In the first, players give their nonces at once. */
  readonly derivation: number;
  /** To the nonces; `~` before one that the table made for a nonce given without. */
  readonly commitments: readonly string[];
  /** Whether the set of commitments is: then they are opened. */
  readonly fixed: boolean;
  /** Shown when the cards are dealt. */
  readonly nonces: readonly string[];
}

/** Seats, host, stage or settings changed; the table state says how. */
export interface Seated {
  readonly type: "seated";
  /** `stand_in`: a bot decides for somebody who is away; `back`: no longer. */
  readonly what: "sit" | "stand" | "swap" | "bot" | "remove" | "host" | "start" | "ready" | "over" | "stand_in" | "back" | "settings";
  readonly seat?: Seat | null;
}

/** Lay cards out for the exchange: a draft that only the seat itself sees. */
export interface SelectExchange {
  readonly type: "TICHU.SELECT_EXCHANGE";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly left?: Card | null;
  readonly partner?: Card | null;
  readonly right?: Card | null;
}

/** Choose the picture at your seat, or none. */
export interface SetAvatar {
  readonly type: "TABLE.AVATAR";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly avatar?: AvatarChoice | null;
}

/** Have the bots decide faster or slower: for the host, or whoever plays with bots alone. The time for bombs stays what it was when the table was made. */
export interface SetPace {
  readonly type: "TABLE.PACE";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  /** A factor of a usual pace. */
  readonly pace: number;
}

/** Take a free seat, or the seat of a bot where a person may join. */
export interface Sit {
  readonly type: "TABLE.SIT";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly seat: Seat;
  /** Absent: "". */
  readonly name?: Name;
}

/** Leave your seat; during a game a bot plays on until somebody sits down. */
export interface Stand {
  readonly type: "TABLE.STAND";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** Let a bot take the decisions of an absent person until they are back. */
export interface StandIn {
  readonly type: "TABLE.STAND_IN";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly seat: Seat;
}

/** The host starts the game, or after its end a rematch. */
export interface Start {
  readonly type: "TABLE.START";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** How things stand: presence changed, a clock or window moved, or a slow socket lost events. */
export interface State {
  readonly type: "state";
  readonly version: number;
  readonly table: TableState;
  readonly view?: SeatView | null;
}

/** Exchange two seats before the game; a player moves their own seat, the host any. */
export interface Swap {
  readonly type: "TABLE.SWAP";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly first: Seat;
  readonly second: Seat;
}

/** What everybody may know about a table. */
export interface TableState {
  readonly id: string;
  /** Short, to be told to a friend. */
  readonly code: string;
  readonly name: string;
  readonly rules: string;
  readonly preset: string;
  readonly clock: Clock | null;
  readonly private: boolean;
  /** Hints, given deals and positions. */
  readonly casual: boolean;
  /** The public id of the host. */
  readonly host: string | null;
  readonly stage: "open" | "playing" | "paused" | "over";
  readonly seats: readonly SeatState[];
  readonly spectators: number;
  /** The game in progress or just finished. */
  readonly game: string | null;
  readonly round: number;
  readonly score: readonly [number, number];
  readonly results: readonly RoundResult[];
  /** The team that has won: 0 for seats 0+2, 1 for seats 1+3. */
  readonly winner: number | null;
  /** SHA-256 of the seed of the next deal, until the round is over. */
  readonly commit: string | null;
  /** The rest of what is known about that deal. */
  readonly shuffle?: ShuffleState | null;
  /** How long bots take, as a factor of a usual pace. Absent: 1.0. */
  readonly pace?: number;
  /** Until the rematch begins. */
  readonly final?: FinalSeats | null;
}

/** What lies on the table, and whose it is. */
export interface Top {
  readonly combination: Combination;
  readonly owner: Seat;
}

/** Hold the bomb window open, seen by everybody. */
export interface Wait {
  readonly type: "TABLE.WAIT";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
}

/** A seat asked for time to think about a bomb. */
export interface Waited {
  readonly type: "waited";
  readonly seat: Seat;
}

/** The answer to hello: who you are, how things stand, what you missed. */
export interface Welcome {
  readonly type: "welcome";
  readonly version: number;
  readonly you: You;
  readonly table: TableState;
  readonly view?: SeatView | null;
  /** Absent: []. */
  readonly missed?: readonly EventMessage[];
}

/** The time in which a bomb comes first. */
export interface BombWindow {
  readonly begins: number;
  readonly ends: number;
}

/** Name the rank wished for after the Mah Jong (ours, for a play without `wishRank`). */
export interface Wish {
  readonly type: "TICHU.WISH";
  readonly id: CommandId;
  /** The version that the client had seen; a play that was made for an older trick is refused. */
  readonly version?: number | null;
  readonly wishRank: RankInput | "NONE";
}

/** The player behind a socket. The token opens the seat from any device: keep it secret. */
export interface You {
  readonly player: string;
  readonly name: string;
  readonly token: string;
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
  readonly name: string;
  /** One of the levels for people, rather than a bot by its own name. */
  readonly isLevel: boolean;
}

/** The bots by their own names, then the levels, each from weak to strong. */
export interface BotList {
  readonly bots: readonly BotInfo[];
  /** The one to take if nobody chooses. */
  readonly default: string;
}

/** How often a call was made, and how often it came true. */
export interface CallRate {
  readonly called: number;
  readonly made: number;
}

/** Which table a code belongs to. */
export interface CodeInfo {
  readonly table: string;
  readonly link: string;
}

/** A finished game with everything in it. */
export interface GameFile {
  readonly game: GameInfo;
  /** Commitments, seeds and nonces of fair deals, and other tags of TTN. */
  readonly tags: { readonly [name: string]: readonly string[] };
  readonly rounds: readonly RoundFile[];
}

/** A finished game. */
export interface GameInfo {
  readonly id: string;
  readonly table: string;
  readonly finished: number;
  readonly rules: string;
  /** Names by seat, and the public ids of persons, empty for bots. */
  readonly seats: readonly string[];
  readonly players: readonly string[];
  readonly score: readonly [number, number];
  /** The team that has won, 0 (seats 0+2) or 1 (seats 1+3): after two ties the score does not tell. */
  readonly winner: number;
  readonly casual: boolean;
  /** Whether a log of BrettspielWelt can express the rules; only then there is a `.tch`. Absent: true. */
  readonly hasTch?: boolean;
}

/** Finished games of a player, the latest first. */
export interface GameList {
  readonly games: readonly GameInfo[];
  /** Give it as `before` to get older ones; null at the end. */
  readonly before: number | null;
}

/** A finished game, action by action. */
export interface GameViews {
  readonly game: GameInfo;
  readonly tags: { readonly [name: string]: readonly string[] };
  /** Null for all hands. */
  readonly seat: number | null;
  readonly rounds: readonly RoundViews[];
}

/** Whether the server can be played on; `failing` if its store does not work. */
export interface Health {
  readonly status: "ok" | "closing" | "failing";
  readonly version: string;
  readonly tables: number;
  readonly sockets: number;
}

/** Who the token belongs to, and how they play. */
export interface Me {
  readonly player: string;
  readonly name: string;
  readonly kind: PlayerKind;
  readonly results: Results;
  /** Open tables where this player has a seat. */
  readonly tables: readonly TableState[];
}

/** Asks for a token, for a person or for a program that will take a seat. */
export interface NewPlayer {
  /** Absent: "". */
  readonly name?: Name;
  /** Absent: "person". */
  readonly kind?: PlayerKind;
}

/** Asks for a table. Without a token a new player is made who is its host. */
export interface NewTable {
  /** Absent: {}. */
  readonly settings?: Settings;
  /** The name of a new player, or a new name. Absent: "". */
  readonly name?: Name;
  /** By seat: `you` for the host, the name of a bot, null for a free seat. Empty: the host sits in seat 0. Absent: []. */
  readonly seats?: readonly (string | null)[];
  /** Start at once; bots take the free seats. Absent: false. */
  readonly start?: boolean;
}

/** The new table, and who its host is. */
export interface NewTableAnswer {
  readonly table: TableState;
  readonly link: string;
  readonly qr: string;
  /** Opens the player's seat on any device; the token stands after `#token=`, where no server sees it. */
  readonly seatLink: string;
  readonly you: You;
}

/** A named rule set with the values of all its fields. */
export interface Preset {
  readonly name: string;
  readonly fields: { readonly [name: string]: string };
}

/** Asks for the picture of a link of this server that must not stand in an address, such as a seat link. */
export interface QrRequest {
  /** From the slash after the host (and prefix) on: `/t/ID#token=...`. */
  readonly path: string;
}

/** A new player. The token is told only here: keep it secret. */
export interface Registered {
  readonly player: string;
  readonly name: string;
  readonly kind: PlayerKind;
  readonly token: string;
}

/** What a player did in kept games, casual ones left out. */
export interface Results {
  readonly games: number;
  readonly won: number;
  readonly rounds: number;
  /** Points in all rounds: own team, other team. */
  readonly points: readonly [number, number];
  /** Rounds in which the player was out first. */
  readonly firstOut: number;
  /** Rounds in which the player's team was out first and second. */
  readonly doubleVictories: number;
  readonly tichu: CallRate;
  readonly grand: CallRate;
}

/** A round: the deal by seat, the actions and the score as in TTN. */
export interface RoundFile {
  readonly deal: readonly string[];
  readonly actions: readonly string[];
  readonly score: readonly [number, number] | null;
}

/** A round, action by action. */
export interface RoundViews {
  /** Counted from 0. */
  readonly round: number;
  /** As in TTN. */
  readonly deal: string;
  readonly result: RoundResult | null;
  readonly steps: readonly ViewStep[];
}

/** A field of a rule set; `N` in a value stands for a number. */
export interface RuleField {
  readonly name: string;
  readonly values: readonly string[];
}

/** What `rules` in the settings of a table may say: a preset, then `field=value` for what differs. */
export interface RulesInfo {
  readonly presets: readonly Preset[];
  readonly fields: readonly RuleField[];
}

/** A table as everybody may know it, and how to get there. */
export interface TableInfo {
  readonly table: TableState;
  /** The address to send to a friend. */
  readonly link: string;
  /** Where the picture of it is (SVG). */
  readonly qr: string;
}

/** Public tables, those with free seats first. */
export interface TableList {
  readonly tables: readonly TableState[];
}

/** The token of this player is nobody's any more; all sockets that were opened with it are closed. */
export interface TokenEnded {
  readonly player: string;
}

/** The state after an action; the first of a round is the deal and has none. */
export interface ViewStep {
  /** The action in TTN, empty for the deal. */
  readonly text: string;
  /** The same spelled out. */
  readonly event: Acted | null;
  /** As the seat asked for saw it then, or as a spectator would. */
  readonly view: SeatView;
  /** All hands, unless a seat was asked for. */
  readonly hands: readonly (readonly Card[])[];
}

/** What a table is made with. */
export interface Settings {
  /** As in `docs/rules.md`: `standard`, `standard goal=target:500`. Absent: "standard". */
  readonly rules?: string;
  /** Absent: "". */
  readonly name?: string;
  readonly clock?: Clock | null;
  /** Not on the start page; whoever has the link or the code can come. Absent: true. */
  readonly private?: boolean;
  /** Hints, given deals and positions; such games count in no statistics. Absent: true. */
  readonly casual?: boolean;
  /** How long bots take, as a factor of a usual pace; 0 for programs among themselves. Absent: 1.0. */
  readonly pace?: number;
  /** A given deal of the first round (TTN), with what has been played, or a position; only at casual tables. */
  readonly deal?: string | null;
  /** Absent: []. */
  readonly actions?: readonly string[];
  readonly position?: string | null;
}
