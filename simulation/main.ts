/** `npm run simulate`: years of the service in minutes, every choice from one seed. */
import './machine/install.js';
import { explore } from './explore.js';

process.exitCode = await explore(process.argv.slice(2));
