/** Commander's commands, made from the records. */
import { Argument, Command, Help, Option } from 'commander';
import { GROUPS, type Param, type Params } from './params.js';
import { longOption } from './usage-error.js';
import { changing, type DeclaredCommand, type DeclaredGroup, type Explained } from './verb.js';

const HELP_WIDTH = 80;

/** Options in groups, those of every command among them; the program's own in one. */
class GroupedHelp extends Help {
  override visibleOptions(command: Command): Option[] {
    const own = super.visibleOptions(command);
    if (!command.parent) return own.map((option) => Object.assign(Object.create(option), UNGROUPED));
    const shared = super.visibleGlobalOptions(command).filter(({ long }) => long !== '--version');
    const all = [...own, ...shared];
    return Object.values(GROUPS).flatMap((group) =>
      all.filter(({ helpGroupHeading }) => helpGroupHeading === group),
    );
  }

  override visibleGlobalOptions(): Option[] {
    return [];
  }

  override subcommandTerm(command: Command): string {
    return super.subcommandTerm(command).replace(' [options]', '');
  }

  /** In the order shown. */
  override groupItems<T extends Command | Option>(_: T[], shown: T[], groupOf: (item: T) => string) {
    return super.groupItems(shown, shown, groupOf);
  }
}

const UNGROUPED = { helpGroupHeading: 'Options:' };

export class BuiltCommand extends Command {
  /** The help's text below the options, and the examples at its end. */
  text = '';
  exampleText = '';

  override createCommand(name?: string): BuiltCommand {
    return new BuiltCommand(name);
  }

  override createHelp(): Help {
    return Object.assign(new GroupedHelp(), this.configureHelp());
  }

  takes(options: Params): this {
    for (const [name, param] of Object.entries(options)) this.addOption(new BuiltOption(name, param));
    return this;
  }

  explains({ path, about, text = '', examples }: Explained): this {
    const lines = examples.map((example) => `  $ ${['esignctl', path, example].filter(Boolean).join(' ')}`);
    this.text = text;
    this.exampleText = `\nExamples:\n${lines.join('\n')}\n`;
    this.description(about);
    if (text) this.addHelpText('after', () => `\n${wrapped(text)}`);
    return this.addHelpText('after', () => this.exampleText.trimEnd().split('\n').map(broken).join('\n'));
  }
}

function wrapped(text: string): string {
  const paragraphs = text.trim().split('\n\n');
  return paragraphs.map((each) => new Help().boxWrap(each.replaceAll('\n', ' '), HELP_WIDTH)).join('\n\n');
}

/** The rest of a long example stands on a line of its own, as a shell takes it. */
function broken(example: string): string {
  if (example.length <= HELP_WIDTH) return example;
  const end = example.lastIndexOf(' --', HELP_WIDTH - 2);
  return `${example.slice(0, end)} \\\n${broken(`     ${example.slice(end)}`)}`;
}

export class BuiltArgument extends Argument {
  readonly param: Param;

  constructor(name: string, param: Param) {
    const { about, word = name, isSeveral, isOptional, parse, choices } = param;
    const words = isSeveral ? `${word}...` : word;
    super(isOptional ? `[${words}]` : `<${words}>`, about);
    this.param = param;
    if (choices) this.choices(choices);
    if (parse) this.argParser(parse);
  }
}

export class BuiltOption extends Option {
  readonly param: Param;

  constructor(name: string, param: Param) {
    const { about, word = name, group = 'does', isFlag, isSeveral } = param;
    const long = longOption(name);
    super(isFlag ? long : `${long} <${isSeveral ? `${word}...` : word}>`, about);
    this.param = param;
    const { choices, parse, conflicts = [], otherwise, isRequired = false } = param;
    if (choices) this.choices(choices);
    if (parse) this.argParser(parse);
    if (otherwise !== undefined) this.default(otherwise);
    this.helpGroup(GROUPS[group])
      .conflicts([...conflicts])
      .makeOptionMandatory(isRequired);
  }
}

type Run = (command: BuiltCommand, declared: DeclaredCommand) => Promise<void>;

export function build(parent: BuiltCommand, declared: DeclaredCommand | DeclaredGroup, run: Run): void {
  const command = parent.command(declared.path.split(' ').at(-1) as string).explains(declared);
  if ('commands' in declared) {
    for (const each of declared.commands) build(command, each, run);
    return;
  }
  const { args = {}, options = {}, changes } = declared;
  for (const [name, param] of Object.entries(args)) command.addArgument(new BuiltArgument(name, param));
  command.takes({ ...options, ...(changes && changing(changes === true ? undefined : changes)) });
  command.action(() => run(command, declared));
}

/** What it was given, under the names of its record. Commander leaves out what was not. */
export function givenTo(command: BuiltCommand, { args = {}, options = {} }: DeclaredCommand) {
  const values: Record<string, unknown> = command.opts();
  const flags = Object.entries(options).map(([name, { isFlag }]) => [
    name,
    values[name] ?? (isFlag && false),
  ]);
  const words = Object.keys(args).map((name, i) => [name, command.processedArgs[i]]);
  return { ...Object.fromEntries(flags), ...Object.fromEntries(words.filter(([, v]) => v !== undefined)) };
}
