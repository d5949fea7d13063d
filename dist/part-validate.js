export{t as validate}from"./part-validate2.js";
