// The channel by which programs receive the settings of the user, which hold in every workspace. The extension passes those of VS Code; in a shell the user
// sets the variable.

/** Holds JSON in the format of dartboard.json, with `agents` and `environments.docker.hosts` alone. */
export const USER_SETTINGS_VARIABLE = 'DARTBOARD_USER_SETTINGS';
