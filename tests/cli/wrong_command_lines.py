"""The table of wrong command lines: exit status, the words after ``tichu``, and parts of what is said.

``POSITION`` stands for a position that is right.
"""

from typing import Final, NamedTuple

__all__ = ["LINES", "WrongLine"]


class WrongLine(NamedTuple):
    """A line and what must come of it."""

    status: int
    command_line: str
    words: tuple[str, ...]


_TABLE: Final = r"""
2 | lgal x | No such command 'lgal' | did you mean legal?
2 | legla x | did you mean legal?
2 | aren | did you mean arena?
2 | botcheck | did you mean bot-check?
2 | exprt | did you mean export
2 | self-play | did you mean selfplay
2 | LEGAL | did you mean legal?
2 | zzz | No such command 'zzz' | there are admin, analyse
2 | --vresion | '--vresion' | --version
2 | --json | No such option '--json'
2 | -x | No such option '-x'

2 | rules standrd | 'PRESET' | no preset 'standrd' | did you mean standard?
2 | rules tournament | no preset 'tournament' | standard, classic
2 | rules bombs=in-turn | no preset 'bombs=in-turn'
2 | rules standard bomb=ordered | no rule field 'bomb' | did you mean bombs?
2 | rules standard bombs=never | no value 'never' for bombs | anytime, ordered, in-turn
2 | rules standard bombs=inturn | did you mean in-turn?
2 | rules standard goal=500 | no value '500' for goal | target:N
2 | rules standard goal=target:0 | no value 'target:0' for goal
2 | rules standard wish | no setting 'wish' | field=value
2 | rules standard wish=may wish=off | wish twice
2 | rules standard --jsno | '--jsno' | --json
2 | rules '' | no preset ''

2 | legal | Missing argument 'POSITION'
2 | legal POSITION extra | unexpected extra argument (extra)
2 | legal 9s | 'POSITION' | a position has 8 fields, not 1
2 | legal '' | a position has 8 fields, not 1
2 | legal '9s/9s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-' | hands: 9s twice
2 | legal '9x/9s/Kb/4s p2 0:As 90/0/0/0 - ---- - -/-/-/-' | hands: | '9x'
2 | legal '9s/2s/Kb/4s p2 - 80/0/0/0 - ---- - -/-/-/-' | points: 80 with an empty table, not 90
2 | legal '9s/2s/Kb/4s p7 - 90/0/0/0 - ---- - -/-/-/-' | phase
2 | legal '9s/2s/Kb/4s p2 - 90/0/0/0 10 ---- - -/-/-/-' | wish: no rank '10'
2 | legal '9s/2s/Kb/4s p2 - 90/0/0/0 - --- - -/-/-/-' | calls
2 | legal '9s/2s/Kb/4s p2 - 90/0/0/0 - ---- 5 -/-/-/-' | order out
2 | legal '9s/2s/Kb/4s  p2 - 90/0/0/0 - ---- - -/-/-/-' | a position has 8 fields, not 9
2 | legal '-/-/-/5sKs e - 30/25/10/20 - TT-- 012 -/-/-/-' | the round is over
2 | legal POSITION --seat 4 | '--seat': 4 is not in the range 0<=x<=3
2 | legal POSITION --seat -1 | '--seat': -1 is not in the range
2 | legal POSITION --seat north | '--seat': 'north' is not a valid integer
2 | legal POSITION --seat | '--seat' requires an argument
2 | legal POSITION --seta 1 | No such option '--seta' | '--seat'
2 | legal POSITION --rule standard | '--rule' | '--rules'
2 | legal POSITION --rules standart | '--rules': no preset 'standart' | did you mean standard?
2 | legal POSITION --rules 'standard bomb=x' | no rule field 'bomb'
2 | legal POSITION --rules 'standard dragon=manual' | no value 'manual' for dragon

2 | perft | Missing argument 'POSITION'
2 | perft POSITION | Missing argument 'DEPTH'
2 | perft POSITION two | 'DEPTH': 'two' is not a valid integer
2 | perft POSITION 1.5 | 'DEPTH': '1.5' is not a valid integer
2 | perft POSITION -- -1 | 'DEPTH': -1 is not in the range x>=0
2 | perft nonsense 1 | 'POSITION': a position has 8 fields
2 | perft POSITION 1 --divid | '--divid' | '--divide'
2 | perft POSITION 1 2 | unexpected extra argument (2)
2 | perft POSITION 1 --rules simpel | did you mean simple?

2 | drill | Missing argument 'WHAT' | grand, tichu, exchange
2 | drill grnad | 'grnad' is not one of | did you mean grand?
2 | drill grand --seed -1 | '--seed': -1 is not in the range x>=0
2 | drill grand --worlds 1 | '--worlds': 1 is not in the range
2 | drill grand --seed 1 --answer maybe | '--answer' | the answer is call or no, not 'maybe'
2 | drill exchange --seed 1 --answer 2r | '--answer' | three cards are given
2 | drill exchange --seed 1 --answer 2x3r4r | '--answer' | '2x'
2 | drill exchange --seed 1 --answer KsKsKs | '--answer' | cannot be given
2 | drill grand --recrod | '--recrod' | '--record'

2 | solve | Missing argument 'POSITION'
2 | solve nonsense | 'POSITION': a position has 8 fields, not 1
2 | solve POSITION --nodes 0 | '--nodes': 0 is not in the range x>=1
2 | solve POSITION --nodes lots | '--nodes': 'lots' is not a valid integer
2 | solve POSITION --node 5 | '--node' | '--nodes'
2 | solve POSITION --rules classical | did you mean classic?
2 | solve POSITION POSITION | unexpected extra argument

2 | puzzle --theme bom | '--theme' | did you mean bomb?
2 | puzzle --id nothing | '--id': no puzzle 'nothing'
2 | puzzle --answer 0:- | --answer goes with --id
2 | puzzle --seed x | '--seed': 'x' is not a valid integer
2 | puzzle extra | unexpected extra argument (extra)
2 | puzzle --themes | '--themes' | '--theme'

2 | replay | Missing argument 'FILES...'
2 | replay --jason x | '--jason' | '--json'
1 | replay nonsense.ttn | 1 files, 0 rounds, 1 errors
1 | replay folder | no game in folder
1 | replay missing.ttn | 1 files, 0 rounds, 1 errors
1 | replay empty.jsonl | 1 errors
1 | replay bot.py | 1 errors
2 | replay '' | the name of a file is empty
1 | replay - | 1 files, 0 rounds, 1 errors

2 | convert | Missing argument 'IN...'
2 | convert there.ttn | Missing argument
2 | convert there.ttn b.pgn | 'OUT': b.pgn: cannot write '.pgn', only .ttn, .tch, .jsonl
2 | convert there.ttn b | 'OUT': b: cannot write ''
1 | convert there.ttn b.ttn there.ttn | there.ttn: this file is there already; --force replaces it
2 | convert there.ttn - | --to says in which format
2 | convert there.ttn b.ttn --to jsonl | OUT is .ttn, and --to jsonl
2 | convert there.ttn - --to json | 'json' | did you mean jsonl
2 | convert '' b.ttn | the name of a file is empty
2 | convert there.ttn '' | the name of a file is empty
2 | convert there.ttn b.ttn --froce | '--froce' | '--force'
1 | convert nonsense.ttn b.jsonl | nonsense.ttn: line 1
1 | convert missing.ttn b.jsonl | missing.ttn: No such file
1 | convert nonsense.ttn there.ttn | there.ttn: this file is there already; --force replaces it
1 | convert folder b.ttn | no game in folder
1 | convert nonsense.ttn nowhere/b.ttn | nowhere: there is no such folder

2 | export | Missing argument 'FILES...'
2 | export there.ttn | Missing argument
2 | export there.ttn out.parquet --workers 0 | '--workers': 0 is not in the range x>=1
2 | export there.ttn out.parquet --workers two | '--workers': 'two' is not a valid integer
2 | export there.ttn out.parquet --worker 2 | '--worker' | '--workers'
2 | export there.ttn tables.csv | 'OUT': tables.csv: tables are written as Parquet | pandas make .csv of it
1 | export folder out.parquet | no game in folder
2 | export there.ttn '' | the name of a file is empty
1 | export missing.ttn there.ttn | there.ttn: this file is there already; tables go into a folder

2 | stats | Missing argument 'FILES...'
2 | stats there.ttn --by plyer | 'plyer' is not one of | did you mean player?
2 | stats there.ttn --by name | '--by': 'name' is not one of 'all', 'player', 'seat', 'pair'
2 | stats there.ttn --by | '--by' requires an argument
2 | stats there.ttn --quite | '--quite' | '--quiet'
2 | stats there.ttn --workers -3 | '--workers': -3 is not in the range
1 | stats folder | no game in folder
2 | stats '' | the name of a file is empty
1 | stats nonsense.ttn --workers 1 | left out: nonsense.ttn | no finished round

2 | admin fnid | No such command 'fnid' | did you mean find?
2 | admin zzz | No such command 'zzz' | there are find, rename
2 | admin find | Missing argument 'TEXT'
2 | admin ban Ada | Missing argument 'TIME'
2 | admin ban Ada soon | 'TIME': 'soon' is not a time | 30min, 12h, 7d, 4w or ever
2 | admin ban Ada 0d | 'TIME': '0d' is not a time
2 | admin mute Ada 999999w | is not a time
2 | admin ban Ada 7d --yse | No such option '--yse'
2 | admin rename Ada | Missing argument 'NAME'
2 | admin --url ftp://localhost find Ada | '--url': 'ftp://localhost' is not the address of a server
2 | admin --url http://localhost:1 find Ada | the operator's token
2 | admin log --subjct x | '--subjct' | '--subject'
2 | admin reports --open | '--open'
1 | admin --url http://127.0.0.1:1 --token x find Ada | 127.0.0.1:1
1 | admin --data folder find Ada | no such file | --data | --url
1 | admin --database none.db log | none.db: no such file

2 | ratings zzz | unexpected extra argument (zzz)
1 | ratings --data folder | no such file | --data
2 | analyse | Missing argument 'FILES...'
2 | analyse there.ttn --worlds 7 | '--worlds': 7 is not in the range x>=48
2 | analyse there.ttn --worlds all | '--worlds': 'all' is not a valid integer
2 | analyse there.ttn --world 64 | '--world' | '--worlds'
2 | analyse there.ttn --others bots | '--others': 'bots' is not one of 'learned', 'people', 'unknown'
2 | analyse there.ttn --policy greedy | '--policy': 'greedy' is not one of 'learned', 'small'
2 | analyse there.ttn --error 0 | '--error': 0.0 is not in the range x>=0.5
2 | analyse there.ttn --error nan | '--error': nan is not a finite number
2 | analyse there.ttn --seconds 0 | '--seconds': 0.0 is not in the range x>=0.1
2 | analyse there.ttn --html folder | '--html' | 'folder' is a directory
1 | analyse https://example.org/elsewhere | not the address of a game
2 | analyse there.ttn --seed -1 | '--seed': -1 is not in the range
2 | analyse there.ttn --resume folder | '--resume' | 'folder' is a directory
2 | analyze there.ttn | did you mean analyse?
1 | analyse folder | no round in folder
1 | analyse missing.ttn | missing.ttn

2 | verify | Missing argument 'FILES...'
2 | verify there.ttn --jso n | '--jso' | '--json'
1 | verify folder | no game in folder
1 | verify missing.ttn | 1 errors
1 | verify nonsense.ttn | 1 errors

2 | bench rockets | 'NAMES': no benchmark 'rockets'; there are python.rounds_per_s
2 | bench python.round_per_s | did you mean python.rounds_per_s
2 | bench --jsn | '--jsn' | '--json'
2 | bench '' | the name of a measurement is empty
2 | bench '' x | the name of a measurement is empty

2 | benchmark | Missing argument 'BOT...'
2 | benchmrk greedy | did you mean benchmark
2 | benchmark gredy | 'BOT': no bot 'gredy' | did you mean greedy?
2 | benchmark bot.py | say which class of 'bot.py' is the bot
2 | benchmark greedy --deals 0 | '--deals': 0 is not in the range x>=1
2 | benchmark greedy --deal 5 | '--deal' | '--deals'
2 | benchmark greedy --markdown --deals 5 | --markdown is for results, and those are of 1,000 deals
2 | benchmark greedy --markdown --json | --markdown or --json, not both
1 | benchmark missing.py:policy | missing.py
1 | benchmark bot.py:policy | bot.py

2 | bot | Missing argument 'NAME'
2 | bot gredy | 'BOT': no bot 'gredy' | did you mean greedy?
2 | bot Greedy | did you mean greedy?
2 | bot strong | no bot 'strong'; there are random, greedy, heuristic, human, small, learned, easy, medium, hard, best
2 | bot human:80 | human:80: say how many points a round below learned, as in human:-80
2 | bot human:-900 | human:-900 is out of range: from human:-0 to human:-
2 | bot easy:-80 | easy has its own strength; human:-80 is a bot of the strength you choose
2 | arena learned human:-x --deals 1 | 'BOT': human:-x: say how many points a round below learned
2 | bot humn:-80 | no bot 'humn:-80' | did you mean human?
2 | bot greedy --seed x | '--seed': 'x' is not a valid integer
2 | bot greedy --sead 1 | '--sead' | '--seed'
2 | bot greedy random | unexpected extra argument (random)
1 | bot missing.py:Bot | missing.py
1 | bot bot.py:Bot | bot.py | Bot
1 | bot bot.py:Other | bot.py | Other
1 | bot broken.py:Bot | broken.py
2 | bot bot.py | 'BOT': say which class of 'bot.py' is the bot: bot.py:Class
1 | bot process: | an empty command starts no program; it is written ./mybot
1 | bot process:no-such-program | no program 'no-such-program'
1 | bot "process:'unclosed" | no command

2 | bot-check | Missing argument 'COMMAND'
2 | bot-check greedy --rounds 0 | '--rounds': 0 is not in the range x>=1
2 | bot-check greedy --rounds many | '--rounds': 'many' is not a valid integer
2 | bot-check greedy --round 3 | '--round' | '--rounds'
2 | bot-check greedy --time 0 | '--time': 0.0 is not in the range
2 | bot-check greedy --time nan | '--time'
2 | bot-check greedy --time inf | '--time'
2 | bot-check greedy --time soon | '--time': 'soon' is not a valid float
2 | bot-check greedy --faults 0 | '--faults': 0 is not in the range x>=1
2 | bot-check greedy --rules clasic | '--rules': no preset 'clasic' | did you mean classic?
1 | bot-check no-such-program | no program 'no-such-program'
2 | bot-check gredy | no bot and no program 'gredy'; did you mean greedy?
2 | bot-check ten_line_bot.py | say which class of 'ten_line_bot.py' is the bot: ten_line_bot.py:Class
1 | bot-check '' | an empty command starts no program
1 | bot-check missing.py:Bot | missing.py
1 | bot-check process:no-such-program | no program 'no-such-program'
2 | bot-check greedy --log log.txt | --log is for programs

2 | ask | Missing argument 'BOT'
2 | ask greedy | Missing argument 'POSITION'
2 | ask gredy POSITION | 'BOT': no bot 'gredy' | did you mean greedy?
2 | ask greedy nonsense | 'POSITION': a position has 8 fields, not 1
2 | ask greedy POSITION --seat 1 | seat 1 has nothing to decide here
2 | ask greedy POSITION --seat 5 | '--seat': 5 is not in the range
2 | ask greedy POSITION --score 1000 | '--score': a score is written 350:-25, not '1000'
2 | ask greedy POSITION --history 0x | '--history': no action '0x'
2 | ask greedy POSITION --history 9-G | '--history': no seat '9'
2 | ask greedy POSITION --hisotry 0-G | '--hisotry' | '--history'
2 | ask greedy POSITION --seed 1.5 | '--seed': '1.5' is not a valid integer
2 | ask greedy '*1/*5/Kb/*1 p2 0:As 90/0/0/0 - ---- - -/-/-/- Ma' | a view does not say whose it is: --seat does
2 | ask greedy '-/-/-/5sKs e - 30/25/10/20 - TT-- 012 -/-/-/-' | the round is over
2 | ask greedy POSITION --rules brettspielwelten | did you mean brettspielwelt?
1 | ask missing.py:Bot POSITION | missing.py
1 | ask process:no-such-program POSITION | no program 'no-such-program'

2 | play --speed fst | '--speed': 'fst' is not one of | did you mean fast?
2 | play --bots gredy | '--bots': no bot 'gredy' | did you mean greedy?
2 | play --bots hrad | did you mean hard
2 | play --target 0 | '--target': 0 is not in the range
2 | play --target lots | '--target': 'lots' is not a valid integer
2 | play --port 99999 | '--port': 99999 is not in the range
2 | play --seed 1 | --seed goes with --terminal
2 | play --record x.ttn | --record goes with --terminal
2 | play --speed fast | --speed goes with --terminal
2 | play --terminal --lan | --lan goes without --terminal
2 | play --terminal --port 80 | --port goes without --terminal
2 | play --terminal --data x | --data goes without --terminal
2 | play --rules 'standard wish=never' | '--rules': no value 'never' for wish
2 | play --rlues standard | '--rlues' | '--rules'
2 | play now | unexpected extra argument (now)
2 | play --data there.ttn | '--data' | 'there.ttn' is a file
1 | play --terminal --record there.ttn | there.ttn: is there already
1 | play --terminal --bots missing.py:Bot | missing.py

2 | serve --port 70000 | '--port': 70000 is not in the range 0<=x<=65535
2 | serve --port http | '--port': 'http' is not a valid integer
2 | serve --prot 80 | '--prot' | '--port'
2 | serve --workers 0 | '--workers': 0 is not in the range
2 | serve --workers 65 | '--workers': 65 is not in the range
2 | serve --limit hope=1 | '--limit': no limit 'hope'
2 | serve --limit table=3 | did you mean tables?
2 | serve --limit tables | '--limit': '' in 'tables' is not a number
2 | serve --limit tables=many | '--limit': 'many' in 'tables=many' is not a number
2 | serve --limit tables=-1 | '--limit': '-1' in 'tables=-1' is not a number from 0 up
2 | serve --retention-days -1 | '--retention-days'
2 | serve --retention-days inf | '--retention-days': inf is not a finite number
2 | serve --table-days 0 | '--table-days': 0.0 is not in the range x>0
2 | serve --player-days nan | '--player-days'
2 | serve --metrics-port x | '--metrics-port': 'x' is not a valid integer
2 | serve --data there.ttn | '--data' | 'there.ttn' is a file
2 | serve here | unexpected extra argument (here)

2 | backup | Missing argument 'FILE'
2 | backup folder | 'FILE' | 'folder' is a directory
2 | backup x.db y.db | unexpected extra argument (y.db)
2 | backup x.db --databse y | '--databse' | '--database'
1 | backup x.db --data nowhere | nowhere/tichu.db: no such file; --data says where
1 | backup x.db --database postgresql://x | pg_dump
1 | backup x.db --database sqlite:missing.db | missing.db: no such file
1 | backup x.db --database there.ttn | there.ttn

2 | connect | Missing argument 'URL'
2 | connect http://localhost | Missing option '--bot'
2 | connect http://localhost --bot gredy | '--bot': no bot 'gredy' | did you mean greedy?
2 | connect http://localhost --bot greedy | say which table: by its link, or by one of --table and --code
2 | connect http://localhost/t/x --bot greedy --code y | say which table
2 | connect http://localhost --bot greedy --table x --code y | say which table
2 | connect ftp://localhost --bot greedy --table x | 'URL': 'ftp://localhost' is not the address of a server
2 | connect '' --bot greedy --table x | 'URL': '' is not the address of a server
2 | connect http://localhost:99999 --bot greedy --table x | is not the address of a server
2 | connect http://localhost --bot greedy --table x --seat 7 | '--seat': 7 is not in the range
2 | connect http://localhost --bot greedy --table x --time 0 | '--time': 0.0 is not in the range
2 | connect http://localhost --bot greedy --tabel x | '--tabel' | '--table'
1 | connect http://127.0.0.1:1 --bot greedy --table x | 127.0.0.1:1: Connection refused
1 | connect http://127.0.0.1:1 --bot missing.py:Bot --table x | missing.py

2 | arena | an arena takes two bots or more
2 | arena greedy | an arena takes two bots or more
2 | arena heuristik random | 'BOT': no bot 'heuristik' | did you mean heuristic?
2 | arena random random+gredy | no bot 'gredy' | did you mean greedy?
2 | arena random+random+random random | a team is one bot or two
2 | arena + random | a team is one bot or two
2 | arena greedy random --deals 0 | '--deals': 0 is not in the range x>=1
2 | arena greedy random --deals -5 | '--deals': -5 is not in the range
2 | arena greedy random --deals 1e3 | '--deals': '1e3' is not a valid integer
2 | arena greedy random --deal 5 | '--deal' | '--deals'
2 | arena greedy random --workers 0 | '--workers': 0 is not in the range x>=1
2 | arena greedy random --until 5:5 | '--until' | LOW:HIGH
2 | arena greedy random --until nan:5 | '--until' | LOW:HIGH
2 | arena greedy random --until 5 | '--until' | LOW:HIGH
2 | arena greedy random --time 0 | '--time'
2 | arena greedy random --rules standart | '--rules': no preset 'standart'
2 | arena greedy random --matchs | '--matchs' | '--matches'
1 | arena greedy missing.py:Bot | missing.py
1 | arena greedy process:no-such-program | no program 'no-such-program'
1 | arena greedy random --records there.ttn | there.ttn: this file is there already; records go into a folder
1 | arena greedy random --resume folder | folder: Is a directory
1 | arena greedy random --resume nonsense.ttn | nonsense.ttn
1 | arena greedy random --plot a.bmpx | '.bmpx'
1 | arena greedy random --plot nowhere/a.png | there is no folder
1 | arena greedy random --plot folder.png | folder.png is a folder

2 | selfplay | Missing argument 'OUT'
2 | selfplay a.ttn | Missing option '--rounds'
2 | selfplay a.ttn --rounds 0 | '--rounds': 0 is not in the range x>=1
2 | selfplay a.ttn --rounds few | '--rounds': 'few' is not a valid integer
2 | selfplay a.pgn --rounds 2 | 'OUT': a.pgn: cannot write '.pgn', only .ttn, .jsonl, packed or not
2 | selfplay a.gz --rounds 2 | 'OUT': a.gz: cannot write
2 | selfplay a.ttn --rounds 2 --bots nobody | '--bots': no bot 'nobody'
2 | selfplay a.ttn --rounds 2 --bots greedy,rnadom | did you mean random?
2 | selfplay a.ttn --rounds 2 --bots a+b+c | '--bots': a team is one bot or two
2 | selfplay a.ttn --rounds 2 --bots greedy,greedy,greedy | '--bots': one team or two, not 3
2 | selfplay a.ttn --rounds 2 --workers 0 | '--workers'
2 | selfplay a.ttn --rounds 2 --rules courtsey | did you mean courtesy?
1 | selfplay nowhere/a.ttn --rounds 2 | nowhere: there is no such folder
1 | selfplay there.ttn --rounds 2 | there.ttn: this file is there already; --force replaces it
1 | selfplay a.ttn --rounds 2 --bots missing.py:Bot | missing.py

2 | conformance | Missing argument 'COMMAND'
2 | conformance ./engine --file combo | '--file': 'combo' is not one of | did you mean combos?
2 | conformance ./engine --files combos | '--files' | '--file'
2 | conformance ./engine --paragraph 99.9 | '--paragraph': no case has '99.9'
2 | conformance ./engine --rules standrd | '--rules': no case has 'standrd'; did you mean standard
2 | conformance ./engine --rules courtesy --paragraph 10.2 --file combos | no case has
2 | conformance ./engine --time never | '--time': 'never' is not a valid float
2 | conformance ./engine --most -1 | '--most': -1 is not in the range x>=0
2 | conformance ./engine --cases there.ttn | '--cases' | 'there.ttn' is a file
1 | conformance no-such-program | no program 'no-such-program'
1 | conformance ./engine --cases folder | folder/combos.jsonl: No such file
1 | conformance '' | an empty command starts no program
"""


def _parse(row: str) -> WrongLine:
    status, command_line, *words = row.split(" | ")
    return WrongLine(int(status), command_line, tuple(words))


LINES: Final = [_parse(row) for row in _TABLE.splitlines() if row]
