console.error('the desk is closed');
process.exitCode = 1;
