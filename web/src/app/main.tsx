// The entry of the application that `xsp serve` serves.
import { render } from 'preact';
import { App, AppContext } from './app_state.ts';
import { Application } from './application.tsx';
import { HttpDataSource } from './http_data_source.ts';
import { followLinks } from './links.ts';
import { restoreTheme } from './parts/theme_switch.tsx';

restoreTheme();
const app = new App(new HttpDataSource());
followLinks(app);
render(<AppContext.Provider value={app}><Application /></AppContext.Provider>, document.body);
void app.start();
