// What `dartboard --help` says.

export const USAGE = `dartboard train [--desktops KIND] [--preset NAME] [--tier 1,2] [--minutes NUMBER] [--seed TEXT] [--mode MODE] [--demonstrations NUMBER]
                [--curation NAME] [--from CHECKPOINT] [--port NUMBER] [--dry-run]
dartboard start [...]
dartboard resume [NAME] [--minutes NUMBER] [--port NUMBER]
dartboard runs [--json]
dartboard runs delete NAME [--with-pool]
dartboard runs decisions [NAME] [--task TASK] [--last NUMBER] [--json]
dartboard collect [--tier 1,2 | --tasks A,B] [--from RUN | --oracle] [--instances NUMBER] [--rollouts NUMBER] [--temperature NUMBER]
                  [--minutes NUMBER] [--accept]
dartboard serve [--port NUMBER] [--keep-training] [--read-only]
dartboard docker build [small|large] [--cache FOLDER] [--again]
dartboard docker save FILE [small|large]
dartboard docker load FILE
dartboard docker ls
dartboard doctor [--json]
dartboard eval [--weights FILE] [--split NAME] [--tier 1,2] [--instances NUMBER] [--json]
dartboard run ["INSTRUCTION"] [--app NAME] [--weights FILE] [--steps NUMBER] [--seed TEXT]
dartboard play [--port NUMBER] [--tasks FOLDER]
dartboard demonstrate [--seed TEXT] [--out FOLDER]

  train         a network that knows nothing learns to use a desktop, on this machine: many desktops play while the
                trainer learns; settings are those of dartboard.json in this folder, and options go before them
    --desktops  pocket: the built-in desktop; docker: real ones in containers, once 'docker build' has made their image (default:
                pocket)
    --preset    scratch: it finds out all by itself; taught: it is shown scripted solutions first (default: scratch; taught with
                demonstrations, and on real desktops)
    --tier      how hard the tasks are: 1 to 4, or several (default: 1)
    --minutes   for how long (default: 5)
    --seed      where all chance comes from (default: dartboard)
    --mode      what it sees: screenshot, a11y_tree or screenshot_a11y_tree (default: the last)
    --demonstrations
                scripted solutions of each task that it is shown first (default: 0; 5 for taught)
    --curation  dart: adaptive curation, all of it; grpo: none of it; no-success-pool, no-rollout-number, no-revisits, no-length,
                no-high-entropy or no-alignment: all but that part (default: dart)
    --from      a checkpoint file, or the name of a run, to begin with in place of random weights
    --port      where its page listens on this machine (default: any free port)
    --dry-run   only prints all settings of such a run

  start         the same as train, with the same options

  resume        goes on with a run that was stopped or broke off (default: the latest)
    --minutes   for how long it trains in all (default: as long as it was meant to)
    --port      as above

  runs          all runs of this folder, and how they went
    --json      one line for other programs
    delete      removes a run with everything that it left; refused while some of it is in the success pool, unless --with-pool
    decisions   why each group was played, so often and for so long, and what became of it (default: of the newest run)
      --task    only those about this task
      --last    how many, the last ones (default: 50)

  collect       successes ahead of training, or (on the pocket desktop) beside it: plays training instances, the hardest first, keeps what succeeds. Whatever is in
                the success pool teaches every run of this folder, and stands in where all of a group failed
    --tier, --tasks
                which tasks (default: those that the weights were trained on, or those that 'train' here is about)
    --from      the run, or the .safetensors file, whose weights play (default: the latest run)
    --oracle    plays the scripted solutions of the tasks, which go into the pool at once
    --instances of each task, up to 32 (default: 8)
    --rollouts  tries of each instance (default: 16)
    --temperature
                how bold: 1 draws from the policy as it is (default: 1.5)
    --minutes   for how long at the most
    --accept    what succeeds goes into the pool at once; without it, it waits until somebody accepts it

  serve         runs for pages and editors, without a display; goes 30 s after the last of them
    --port      as above
    --keep-training
                goes on while something trains, also when nobody is connected
    --read-only runs are only to be looked at: nothing is trained, said or collected

  docker        the images that desktops in containers start from; small has an editor, a calculator, files and a terminal, large
                a browser and an office suite too
    build       builds one on the Docker engine of this machine, or of DOCKER_HOST, unless it is there (default: small)
      --cache   a folder in which images are kept as files: loads it from there, and puts it there once it is built
      --again   builds it although it is there
    save        keeps it as a file: .tar, .tar.gz or .tar.zst
    load        takes it from such a file
    ls          those that there are; other inputs than this program's give another name

  doctor        whether everything is there that Dartboard needs, and what to do about what is not
    --json      one line for other programs

  eval          how many tasks saved weights solve, and how sure that is
    --weights   a .safetensors file, the folder of a run, or its name (default: the latest)
    --split     test: worlds it never trained on; train; unseen: other kinds of tasks (default: test)
    --tier      how hard the tasks are (default: the tasks that it was trained on; with --split unseen, all of them)
    --instances of each task (default: 20; up to 32 with --split train)
    --json      one line for other programs

  run           watch saved weights try an instruction; without one, a task of the suite
    --app       where: calculator, calendar, contacts, files, mail, notes or settings; on real desktops galculator,
                mousepad, pcmanfm or xterm
    --weights   as above
    --steps     how many at most (default: 15)
    --seed      chooses the task where no instruction is given (default: another each time)

  play          a page in the browser: use the pocket desktop by hand, pick a task, and be judged
    --port      where it listens on this machine (default: any free port)
    --tasks     a folder with task files of your own (default: .dartboard/tasks, where there is one)
`;
