export{n as defuse,a as safeLines}from"./part-terminal-text2.js";
