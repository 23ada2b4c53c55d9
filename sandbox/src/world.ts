import type { Inbox } from './control/inbox';
import type { Journal } from './control/journal';
import type { Stats } from './control/stats';
import { FIRST_PEOPLE } from './data/people';
import type { SandboxOptions } from './options';
import { createLogins, type Logins } from './sessions/logins';
import { People, type Person } from './sessions/people';
import { Tokens } from './sessions/tokens';
import { Commands, type CommandLog } from './store/commands';

/** What a world tells its surroundings. */
export interface Surroundings {
  journal: Journal;
  inbox: Inbox;
  stats: Stats;
  /** Brings the world to the present, milliseconds. */
  present(): number;
  log: CommandLog;
  changed(): void;
  sessionEnded(person: Person): void;
}

/** Everything that the event log can make again: people, exchange, accounts; in virtual time only. */
export class World {
  readonly commands: Commands;
  readonly people: People;
  readonly logins: Logins;

  /** @param key signs the tokens. */
  constructor(
    readonly options: SandboxOptions,
    key: string,
    surroundings: Surroundings,
  ) {
    this.commands = new Commands(surroundings.present, surroundings.log, surroundings.changed);
    this.people = new People(FIRST_PEOPLE, new Tokens(key), options.seed);
    this.logins = createLogins({ people: this.people, commands: this.commands, ...surroundings });
  }
}
