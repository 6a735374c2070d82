/** Matches names of files that may be documents: such files are worth opening. Only their bytes say what they are. */
export const DOCUMENT_NAME = /\.(?:pdf|docx|docm|odt|pptx|pptm|epub|xlsx|xlsm|xlsb|xls|ods)$/i;

/** Matches names of notebooks, which are text as well. */
export const NOTEBOOK_NAME = /\.ipynb$/i;
