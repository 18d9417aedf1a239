/** How the folders of states are named: with the key of the state. */
export const STATE_FOLDER = "state=";

/** The file in a state's folder with its settings and its files' checksums. Its time changes when the state is asked for. */
export const STATE_FILE = "state.json";
