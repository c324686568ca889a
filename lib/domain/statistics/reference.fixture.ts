/**
 * Key values of `../shared/reference/statistics.json` (scipy 1.17.1, statsmodels 0.15.0, numpy 2.4.6), so that a clone without
 * that folder still tests the statistics. Same shape as the file.
 */
export const REFERENCE = {
  proportion95: [
    {
      x: 1,
      n: 10,
      wilson: [0.0178762130950729, 0.404150026795238],
      clopperPearson: [0.00252857854446257, 0.445016117028195],
    },
    {
      x: 0,
      n: 20,
      wilson: [0.0, 0.161125158052819],
      clopperPearson: [0.0, 0.168433470983085],
    },
    {
      x: 15,
      n: 148,
      wilson: [0.0623863995307363, 0.160487241723308],
      clopperPearson: [0.057844010083448, 0.161650490349479],
    },
    {
      x: 81,
      n: 263,
      wilson: [0.255288519878274, 0.3662095769828],
      clopperPearson: [0.252736745585043, 0.367621922601347],
    },
    {
      x: 20,
      n: 20,
      wilson: [0.838874841947181, 1.0],
      clopperPearson: [0.831566529016915, 1.0],
    },
    {
      x: 19,
      n: 20,
      wilson: [0.763868806553258, 0.991118551199205],
      clopperPearson: [0.751267237227972, 0.998734910502044],
    },
    {
      x: 0,
      n: 1,
      wilson: [0.0, 0.793450685622763],
      clopperPearson: [0.0, 0.975],
    },
    {
      x: 417,
      n: 500,
      wilson: [0.798864683802693, 0.86404225676899],
      clopperPearson: [0.798432187973114, 0.865558248852645],
    },
  ],
  mcnemar: [
    {
      both: 794,
      aOnly: 86,
      bOnly: 150,
      neither: 570,
      exactP: 3.71593613957139e-5,
      midP: 2.89338951762e-5,
    },
    {
      both: 59,
      aOnly: 6,
      bOnly: 16,
      neither: 80,
      exactP: 0.0524787902832031,
      midP: 0.0346896648407,
    },
    {
      both: 10,
      aOnly: 1,
      bOnly: 9,
      neither: 5,
      exactP: 0.021484375,
      midP: 0.01171875,
    },
    {
      both: 40,
      aOnly: 5,
      bOnly: 5,
      neither: 50,
      exactP: 1.0,
      midP: 1.0,
    },
    {
      both: 20,
      aOnly: 0,
      bOnly: 5,
      neither: 75,
      exactP: 0.0625,
      midP: 0.03125,
    },
    {
      both: 101,
      aOnly: 121,
      bOnly: 59,
      neither: 33,
      exactP: 4.43444926375516e-6,
      midP: 3.26664679577e-6,
    },
  ],
  benjaminiHochberg: [
    {
      p: [0.005, 0.009, 0.05, 0.1, 0.2, 0.3],
      adjusted: [0.027, 0.027, 0.1, 0.15, 0.24, 0.3],
    },
    {
      p: [0.01, 0.04, 0.03, 0.02],
      adjusted: [0.04, 0.04, 0.04, 0.04],
    },
  ],
  passK: [
    {
      n: 10,
      c: 3,
      k: 1,
      passAtK: 0.3,
      passHatK: 0.3,
    },
    {
      n: 10,
      c: 3,
      k: 5,
      passAtK: 0.916666666666667,
      passHatK: 0.0,
    },
    {
      n: 5,
      c: 2,
      k: 2,
      passAtK: 0.7,
      passHatK: 0.1,
    },
    {
      n: 200,
      c: 23,
      k: 100,
      passAtK: 0.999999971448768,
      passHatK: 0.0,
    },
    {
      n: 8,
      c: 6,
      k: 4,
      passAtK: 1.0,
      passHatK: 0.214285714285714,
    },
    {
      n: 20,
      c: 0,
      k: 10,
      passAtK: 0.0,
      passHatK: 0.0,
    },
    {
      n: 20,
      c: 15,
      k: 8,
      passAtK: 1.0,
      passHatK: 0.0510835913312693,
    },
    {
      n: 10,
      c: 9,
      k: 10,
      passAtK: 1.0,
      passHatK: 0.0,
    },
  ],
  tQuantile975: {
    '1': 12.7062047361747,
    '2': 4.30265272974946,
    '9': 2.2621571627982,
    '24': 2.06389856162802,
    '100': 1.98397151852355,
  },
  clustered: {
    x: [1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0],
    clusterSize: 3,
    mean: 0.5,
    seIid: 0.150755672288882,
    seCR0: 0.18633899812498256,
    seCorrected: 0.2151657414559677,
  },
  minDetectable: {
    wSquared: 0.1111111111111111,
    sSquared: 0.16666666666666666,
    alpha: 0.05,
    power: 0.8,
    rows: [
      {
        tasks: 25,
        repetitions: 1,
        mde: 0.3735,
      },
      {
        tasks: 25,
        repetitions: 5,
        mde: 0.2363,
      },
      {
        tasks: 25,
        repetitions: 10,
        mde: 0.213,
      },
      {
        tasks: 25,
        repetitions: 20,
        mde: 0.2003,
      },
      {
        tasks: 198,
        repetitions: 1,
        mde: 0.1327,
      },
      {
        tasks: 198,
        repetitions: 10,
        mde: 0.0757,
      },
      {
        tasks: 100,
        repetitions: 5,
        mde: 0.1181,
      },
      {
        tasks: 500,
        repetitions: 1,
        mde: 0.0835,
      },
    ],
  },
  tasksNeededFor3Points: {
    K1: 3875.9899922711543,
    K10: 1259.6967474881253,
  },
  exactMcNemarPower: [
    {
      p10: 0.05,
      p01: 0.45,
      n: 22,
      power: 0.7515694760295943,
    },
    {
      p10: 0.05,
      p01: 0.45,
      n: 25,
      power: 0.8201620678402025,
    },
    {
      p10: 0.1,
      p01: 0.2,
      n: 100,
      power: 0.3730770843018213,
    },
  ],
  pooledVersusClustered: [
    {
      tasks: 25,
      repetitions: 10,
      pooledCoverage: 0.614,
      clusteredCoverage: 0.958,
    },
    {
      tasks: 25,
      repetitions: 20,
      pooledCoverage: 0.466,
      clusteredCoverage: 0.949,
    },
    {
      tasks: 100,
      repetitions: 5,
      pooledCoverage: 0.745,
      clusteredCoverage: 0.952,
    },
  ],
}

export type Reference = typeof REFERENCE
