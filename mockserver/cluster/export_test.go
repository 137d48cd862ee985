package cluster

// ConnectPatiently is Connect with another patience for silent replicas.
var ConnectPatiently = connectWith
