// What `dartboard --help` says.

export const USAGE = `dartboard train [--preset NAME] [--tier 1,2] [--minutes NUMBER] [--seed TEXT] [--mode MODE] [--demonstrations NUMBER]
                [--from CHECKPOINT] [--port NUMBER] [--dry-run]
dartboard start [...]
dartboard resume [NAME] [--minutes NUMBER] [--port NUMBER]
dartboard runs [--json]
dartboard runs delete NAME
dartboard serve [--port NUMBER] [--keep-training]
dartboard doctor [--json]
dartboard eval [--weights FILE] [--split NAME] [--tier 1,2] [--instances NUMBER] [--json]
dartboard run ["INSTRUCTION"] [--app NAME] [--weights FILE] [--steps NUMBER] [--seed TEXT]
dartboard play [--port NUMBER] [--tasks FOLDER]
dartboard demonstrate [--seed TEXT] [--out FOLDER]

  train         a network that knows nothing learns to use the pocket desktop, on this machine: many desktops play while the
                trainer learns; settings are those of dartboard.json in this folder, and options go before them
    --preset    scratch: it finds out all by itself; taught: it is shown scripted solutions first
    --tier      how hard the tasks are: 1 to 4, or several (default: 1)
    --minutes   for how long (default: 5)
    --seed      where all chance comes from (default: dartboard)
    --mode      what it sees: screenshot, a11y_tree or screenshot_a11y_tree (default: the last)
    --demonstrations
                scripted solutions of each task that it is shown first (default: 0; 5 for taught)
    --from      a checkpoint file, or the name of a run, to begin with in place of random weights
    --port      where its page listens on this machine (default: any free port)
    --dry-run   only prints all settings of such a run

  start         the same as train, with the same options

  resume        goes on with a run that was stopped or broke off (default: the latest)
    --minutes   for how long it trains in all (default: as long as it was meant to)
    --port      as above

  runs          all runs of this folder, and how they went
    --json      one line for other programs
    delete      removes a run with everything that it left

  serve         runs for pages and editors, without a display; goes 30 s after the last of them
    --port      as above
    --keep-training
                goes on while something trains, also when nobody is connected

  doctor        whether everything is there that Dartboard needs, and what to do about what is not
    --json      one line for other programs

  eval          how many tasks saved weights solve, and how sure that is
    --weights   a .safetensors file, the folder of a run, or its name (default: the latest)
    --split     test: worlds it never trained on; train; unseen: other kinds of tasks (default: test)
    --tier      how hard the tasks are (default: those that it was trained on)
    --instances of each task (default: 20)
    --json      one line for other programs

  run           watch saved weights try an instruction; without one, a task of the suite
    --app       where: calculator, calendar, contacts, files, mail, notes or settings
    --weights   as above
    --steps     how many at most (default: 15)
    --seed      chooses the task where no instruction is given (default: another each time)

  play          a page in the browser: use the pocket desktop by hand, pick a task, and be judged
    --port      where it listens on this machine (default: any free port)
    --tasks     a folder with task files of your own (default: .dartboard/tasks, where there is one)

  demonstrate   the engine alone: a small network learns to point, in a few seconds
    --seed      where all chance comes from (default: dartboard)
    --out       where the trained weights go (default: out/demonstration)
`;
